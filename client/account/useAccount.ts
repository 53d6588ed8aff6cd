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

type Browsers = readonly SignedInBrowserFragment[];

interface Problem {
  readonly sentence: string;
  readonly retry: () => void;
  /** Trying again is of no use before the player has signed in again. */
  readonly needsSignIn?: boolean;
}

export interface AccountOptions {
  readonly playerId: string;
  /** The export of the account, with the player's token. */
  readonly fetchExport: () => Promise<Response>;
  /** Leaves for the provider; the player comes back to the account. */
  readonly reauthenticate: () => Promise<void>;
  /** Nobody is signed in here any more. */
  readonly onGone: () => void;
}

/** A refusal of the server that is to be shown in its own words. */
class InItsWords extends Error {}

/** What a player can see of and do with the account. */
export function useAccount({ playerId, fetchExport, reauthenticate, onGone }: AccountOptions) {
  const client = useApolloClient();
  const sessions = useQuery(MySessionsDocument, {
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: false,
  });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState('');
  const [busy, setBusy] = useState(false);
  // Two clicks in one frame must not both count.
  const working = useRef(false);

  const attempt = async (failed: string, work: () => Promise<string | void>): Promise<boolean> => {
    if (working.current) return false;
    working.current = true;
    setBusy(true);
    // What is said a second time is heard only as a change.
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
      : { sentence: problem instanceof InItsWords ? problem.message : failed, retry };

  const remember = (cache: ApolloCache, browsers: Browsers | undefined) =>
    browsers && cache.writeQuery({ query: MySessionsDocument, data: { mySessions: [...browsers] } });

  const { failed, done: said } = messages.account;
  const unknown = !sessions.data && sessions.error;
  return {
    browsers: sessions.data?.mySessions ?? null,
    busy,
    done,
    loading: sessions.loading,
    // How trying again went is in `error`.
    problem:
      problem ??
      (unknown ? { sentence: failed.browsers, retry: () => void sessions.refetch().catch(() => undefined) } : null),

    signOut: ({ id, browser }: SignedInBrowserFragment) =>
      attempt(failed.signOut, async () => {
        try {
          await client.mutate({
            mutation: EndSessionDocument,
            variables: { id },
            update: (cache, { data }) => remember(cache, data?.endSession),
          });
        } catch (problem) {
          // It has ended while the list was looked at, which is as good.
          if (!hasCode(problem, 'NOT_FOUND')) throw problem;
          await sessions.refetch();
        }
        return said.signOut(browser);
      }),

    signOutOthers: () =>
      attempt(failed.signOutOthers, async () => {
        await client.mutate({
          mutation: EndOtherSessionsDocument,
          update: (cache, { data }) => remember(cache, data?.endOtherSessions),
        });
        return said.signOutOthers;
      }),

    signOutEverywhere: () =>
      attempt(failed.signOutEverywhere, async () => {
        await client.mutate({ mutation: SignOutEverywhereDocument });
        onGone();
      }),

    download: () =>
      attempt(failed.download, async () => {
        const response = await fetchExport();
        if (response.status === 429) throw new InItsWords(((await response.json()) as { error: string }).error);
        if (!response.ok) throw new Error(`The export answered ${response.status}`);
        download(await response.blob(), fileNameOf(response));
        return said.download;
      }),

    deleteAccount: () =>
      attempt(failed.delete, async () => {
        await client.mutate({ mutation: DeleteAccountDocument });
        clearDeletedPlayer(playerId);
        onGone();
      }),
  };
}
