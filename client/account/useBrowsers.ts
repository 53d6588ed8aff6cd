import type { ApolloCache } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { EndOtherSessionsDocument, EndSessionDocument, MySessionsDocument } from '../graphql/generated.js';
import type { SignedInBrowserFragment } from '../graphql/generated.js';
import { hasCode } from '../graphql/hasCode.js';
import { useRetry } from '../graphql/useRetry.js';
import { messages } from '../messages/account.js';
import type { Attempt, Problem } from './useAction.js';

type Browsers = readonly SignedInBrowserFragment[];

const { failed, done } = messages;

/** The signed-in browsers of the player, and the actions that sign them out. */
export function useBrowsers(attempt: Attempt) {
  const client = useApolloClient();
  const { data, error, loading, refetch } = useQuery(MySessionsDocument, {
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: false,
  });
  const retry = useRetry(refetch);

  const unknown: Problem | null = !data && error ? { sentence: failed.browsers, retry } : null;

  const updateCache = (cache: ApolloCache, browsers: Browsers | undefined) =>
    browsers && cache.writeQuery({ query: MySessionsDocument, data: { mySessions: [...browsers] } });

  return {
    browsers: data?.mySessions ?? null,
    loading,
    problem: unknown,

    signOut: ({ id, browser }: SignedInBrowserFragment) =>
      attempt(failed.signOut, async () => {
        try {
          await client.mutate({
            mutation: EndSessionDocument,
            variables: { id },
            update: (cache, { data }) => updateCache(cache, data?.endSession),
          });
        } catch (problem) {
          // The session has already ended elsewhere.
          if (!hasCode(problem, 'NOT_FOUND')) throw problem;
          await refetch();
        }
        return done.signOut(browser);
      }),

    signOutOthers: () =>
      attempt(failed.signOutOthers, async () => {
        await client.mutate({
          mutation: EndOtherSessionsDocument,
          update: (cache, { data }) => updateCache(cache, data?.endOtherSessions),
        });
        return done.signOutOthers;
      }),
  };
}
