import { ApolloLink, ServerError } from '@apollo/client';
import { print } from '@apollo/client/utilities';
import { Observable } from 'rxjs';

/**
 * Creates a terminating link that sends each operation as one POST. Apollo's HttpLink has features that the page does
 * not use and would add a tenth to Apollo's size.
 * @param onDate called with the Date header of each answer
 */
export function createFetchLink(address: string, onDate: (date: string | null) => void): ApolloLink {
  return new ApolloLink(
    (operation) =>
      new Observable((observer) => {
        const controller = new AbortController();
        post(address, operation, controller.signal, onDate)
          .then((answer) => {
            observer.next(answer);
            observer.complete();
          })
          .catch((problem: unknown) => observer.error(problem));
        return () => controller.abort();
      }),
  );
}

async function post(
  address: string,
  operation: ApolloLink.Operation,
  signal: AbortSignal,
  onDate: (date: string | null) => void,
): Promise<ApolloLink.Result> {
  const { operationName, variables, query } = operation;
  const { headers } = operation.getContext() as { headers?: Record<string, string> };
  const response = await window.fetch(address, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ operationName, variables, query: print(query) }),
    signal,
  });
  onDate(response.headers.get('date'));
  const bodyText = await response.text();
  const answer = parse(bodyText);
  // At any status, GraphQL errors or an error sentence tell more than the number.
  if (answer?.data || answer?.errors) return answer;
  throw new ServerError(answer?.error ?? `${address} answered ${response.status}`, { response, bodyText });
}

function parse(text: string): (ApolloLink.Result & { error?: string }) | null {
  try {
    return JSON.parse(text) as ReturnType<typeof parse>;
  } catch {
    return null;
  }
}
