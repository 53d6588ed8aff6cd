import { getOperationAST, OperationTypeNode, parse } from 'graphql';

/** A request from GraphiQL's editor. */
export interface TypedRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Record<string, unknown>;
}

/** Headers from GraphiQL's editor. A value can be any JSON. */
export type TypedHeaders = Readonly<Record<string, unknown>>;

export const ADDRESS = '/graphql';

/**
 * Returns the headers of a request with names in lower case. Typed headers override the others, including the token.
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
 * Removes an operation name that the text does not contain. GraphiQL updates the name a moment after the text.
 */
export function withValidOperationName({ operationName, ...request }: TypedRequest): TypedRequest {
  return operationName && findOperation({ ...request, operationName }) ? { ...request, operationName } : request;
}

/** Whether the operation is a subscription. An unreadable one is not, so that the server's answer explains why. */
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
