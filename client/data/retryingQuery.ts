import { ApolloLink, type OperationVariables, type TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { useCallback, useEffect } from 'react';
import { tap } from 'rxjs';
import { serverAnswered } from './refused.js';

/** Tells the failed queries of the page that the server answers again. */
export const tellOfAnswers = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    tap(({ errors }) => {
      if (!errors) serverAnswered.tell();
    }),
  ),
);

/**
 * A query that shows what is in the cache until the answer, and that is repeated after a failure when the server answers
 * anything. `failed` while nothing is known, and still during the next try.
 * @returns `retry` asks again, and `refetch` waits for the answer too
 */
export function useRetryingQuery<Data, Variables extends OperationVariables>(
  document: TypedDocumentNode<Data, Variables>,
  options: Pick<useQuery.Options<Data, Variables>, 'context' | 'fetchPolicy' | 'pollInterval' | 'skip'> & {
    variables?: Variables;
  } = {},
) {
  const { data, error, loading, refetch } = useQuery<Data>(document, {
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: false,
    ...options,
  });
  const failed = Boolean(error) && !data;
  const retry = useRetry(refetch);
  useEffect(() => (failed ? serverAnswered.add(retry) : undefined), [failed, retry]);
  return { data, loading, failed, retry, refetch };
}

/** Asks again. The query itself holds the result, and a failure too. */
export function useRetry(refetch: () => Promise<unknown>): () => void {
  return useCallback(() => void refetch().catch(() => undefined), [refetch]);
}
