import { ApolloLink, ServerError } from '@apollo/client';
import { Observable } from 'rxjs';
import { print } from './printed.js';

/**
 * Ends the chain of links: one POST for one operation. Apollo's own HttpLink also does GET, multipart answers, client
 * names and printing, which would be a tenth of all that the page loads of Apollo.
 * @param onDate hears the Date header of each answer
 */
export function createFetchLink(address: string, onDate: (date: string | null) => void): ApolloLink {
  return new ApolloLink(
    (operation) =>
      new Observable((observer) => {
        const leaving = new AbortController();
        post(address, operation, leaving.signal, onDate)
          .then((answer) => {
            observer.next(answer);
            observer.complete();
          })
          .catch((problem: unknown) => observer.error(problem));
        return () => leaving.abort();
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
  // Whatever the status: errors in GraphQL's own form say more than a number, and so does a sentence.
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
