import { getOperationAST, OperationTypeNode, parse } from 'graphql';

/** What is typed, as GraphiQL hands it over. */
export interface TypedRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Record<string, unknown>;
}

/** Headers as typed: values are whatever JSON allows. */
export type TypedHeaders = Readonly<Record<string, unknown>>;

export const ADDRESS = '/graphql';

/**
 * The headers of a request, names in lower case. Typed ones win, the player's token included.
 * @throws TypeError when a typed name or value cannot be a header
 */
export function requestHeaders(token: string | null, typed: TypedHeaders = {}): Record<string, string> {
  const headers = new Headers({
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  });
  for (const [name, value] of Object.entries(typed)) headers.set(name, String(value));
  return Object.fromEntries(headers);
}

/**
 * The request without a name that its text does not hold: GraphiQL reads the name of an operation a moment after the
 * text has changed, and keeps the former one until then.
 */
export function withValidOperationName({ operationName, ...request }: TypedRequest): TypedRequest {
  return operationName && findOperation({ ...request, operationName }) ? { ...request, operationName } : request;
}

/** Whether it goes over the socket. What cannot be read does not: the server's answer says why. */
export function isSubscription(request: TypedRequest): boolean {
  return findOperation(request)?.operation === OperationTypeNode.SUBSCRIPTION;
}

function findOperation({ query, operationName }: TypedRequest) {
  try {
    return getOperationAST(parse(query), operationName);
  } catch {
    return null;
  }
}
