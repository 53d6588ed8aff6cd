import type { ApolloCache } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useRef, useState } from 'react';
import {
  DeleteAccountDocument,
  EndOtherSessionsDocument,
  EndSessionDocument,
  MySessionsDocument,
  SignOutEverywhereDocument,
} from '../graphql/generated.js';
import type { SignedInBrowserFragment } from '../graphql/generated.js';
import { hasCode } from '../graphql/hasCode.js';
import { clearDeletedPlayer } from '../playerStorage.js';
import { messages } from '../messages/game.js';
import { download, fileNameOf } from './download.js';
import { ServerRefusal } from './serverRefusal.js';

type Browsers = readonly SignedInBrowserFragment[];

interface Problem {
  readonly sentence: string;
  readonly retry: () => void;
  /** A retry cannot succeed before the player signs in again. */
  readonly needsSignIn?: boolean;
}

export interface AccountOptions {
  readonly playerId: string;
  /** Fetches the account's export with the player's token. */
  readonly fetchExport: () => Promise<Response>;
  /** Goes to the provider, which returns the player to the account. */
  readonly reauthenticate: () => Promise<void>;
  /** Called after the session or the account has ended. */
  readonly onSignedOut: () => void;
}

/** The state of the account dialog and its actions. */
export function useAccount({ playerId, fetchExport, reauthenticate, onSignedOut }: AccountOptions) {
  const client = useApolloClient();
  const sessions = useQuery(MySessionsDocument, {
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: false,
  });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState('');
  const [busy, setBusy] = useState(false);
  // Prevents a second action before React renders the disabled buttons.
  const working = useRef(false);

  const attempt = async (failed: string, work: () => Promise<string | void>): Promise<boolean> => {
    if (working.current) return false;
    working.current = true;
    setBusy(true);
    // Screen readers announce a repeated message only after a change.
    setDone('');
    try {
      setDone((await work()) ?? '');
      setProblem(null);
      return true;
    } catch (problem) {
      setProblem(problemOf(problem, failed, () => void attempt(failed, work)));
      return false;
    } finally {
      working.current = false;
      setBusy(false);
    }
  };

  const problemOf = (problem: unknown, failed: string, retry: () => void): Problem =>
    hasCode(problem, 'RECENT_SIGN_IN_REQUIRED')
      ? {
          sentence: messages.account.needsSignIn,
          retry: () => void attempt(messages.account.failed.signInAgain, reauthenticate),
          needsSignIn: true,
        }
      : { sentence: problem instanceof ServerRefusal ? problem.message : failed, retry };

  const updateCache = (cache: ApolloCache, browsers: Browsers | undefined) =>
    browsers && cache.writeQuery({ query: MySessionsDocument, data: { mySessions: [...browsers] } });

  const { failed, done: doneMessages } = messages.account;
  const unknown = !sessions.data && sessions.error;
  return {
    attempt,
    browsers: sessions.data?.mySessions ?? null,
    busy,
    done,
    loading: sessions.loading,
    // `error` holds the result of the retry.
    problem:
      problem ??
      (unknown ? { sentence: failed.browsers, retry: () => void sessions.refetch().catch(() => undefined) } : null),

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
          await sessions.refetch();
        }
        return doneMessages.signOut(browser);
      }),

    signOutOthers: () =>
      attempt(failed.signOutOthers, async () => {
        await client.mutate({
          mutation: EndOtherSessionsDocument,
          update: (cache, { data }) => updateCache(cache, data?.endOtherSessions),
        });
        return doneMessages.signOutOthers;
      }),

    signOutEverywhere: () =>
      attempt(failed.signOutEverywhere, async () => {
        await client.mutate({ mutation: SignOutEverywhereDocument });
        onSignedOut();
      }),

    download: () =>
      attempt(failed.download, async () => {
        const response = await fetchExport();
        if (response.status === 429) throw new ServerRefusal(((await response.json()) as { error: string }).error);
        if (!response.ok) throw new Error(`The export answered ${response.status}`);
        download(await response.blob(), fileNameOf(response));
        return doneMessages.download;
      }),

    deleteAccount: () =>
      attempt(failed.delete, async () => {
        await client.mutate({ mutation: DeleteAccountDocument });
        clearDeletedPlayer(playerId);
        onSignedOut();
      }),
  };
}
