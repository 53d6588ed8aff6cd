import type { ApolloCache } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import {
  DeleteAccountDocument,
  EndOtherSessionsDocument,
  EndSessionDocument,
  MySessionsDocument,
  SignOutEverywhereDocument,
  type SignedInBrowserFragment,
} from '../graphql/generated.js';
import { useRetry, hasCode } from '../apollo.js';
import { clearDeletedPlayer } from '../playerStorage.js';
import { messages } from '../messages/account.js';
import type { AccountTab } from './accountTabs.js';
import { ServerRefusal, useAction, type Attempt, type Problem } from './useAction.js';

export interface AccountOptions {
  readonly player: { readonly id: string };
  /** Fetches the account's export with the player's token. */
  readonly fetchExport: () => Promise<Response>;
  /** Goes to the provider, which returns the player to this tab of the account. */
  readonly reauthenticate: (tab: AccountTab) => Promise<void>;
  /** Called after the session or the account has ended. */
  readonly onSignedOut: () => void;
}

const { failed, done } = messages;

/** The state of the account dialog and its actions, which begin in this tab. */
export function useAccount({ player, fetchExport, reauthenticate, onSignedOut }: AccountOptions, tab: AccountTab) {
  const client = useApolloClient();
  const action = useAction(() => reauthenticate(tab));
  const { attempt } = action;
  const browsers = useBrowsers(attempt);
  return {
    ...browsers,
    ...action,
    problem: action.problem ?? (tab === 'sign-in' ? browsers.problem : null),

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
        return done.download;
      }),

    deleteAccount: () =>
      attempt(failed.delete, async () => {
        await client.mutate({ mutation: DeleteAccountDocument });
        clearDeletedPlayer(player.id);
        onSignedOut();
      }),
  };
}

/** Reads the file name that the server has chosen. */
function fileNameOf({ headers }: Response): string {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '';
}

/** Saves a blob as a downloaded file. */
function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers start to read the blob only after the click event.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The signed-in browsers of the player, and the actions that sign them out. */
function useBrowsers(attempt: Attempt) {
  const client = useApolloClient();
  const { data, error, loading, refetch } = useQuery(MySessionsDocument, {
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: false,
  });
  const retry = useRetry(refetch);

  const unknown: Problem | null = !data && error ? { sentence: failed.browsers, retry } : null;

  const updateCache = (cache: ApolloCache, browsers: readonly SignedInBrowserFragment[] | undefined) =>
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
