import type { ApolloCache } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import {
  DeleteAccountDocument,
  EndOtherSessionsDocument,
  EndSessionDocument,
  MySessionsDocument,
  type SignedInBrowserFragment,
  SignOutEverywhereDocument,
} from '../graphql/generated.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { clearDeletedPlayer } from '../data/playerStorage.js';
import { hasCode, refusalIn } from '../data/refused.js';
import { browserName } from './words.js';
import { type Attempt, useAction } from './action.js';

export interface AccountOptions {
  readonly player: { readonly id: string };
  readonly fetchExport: () => Promise<Response>;
  /** Goes to the provider, which returns the player to the account. */
  readonly reauthenticate: () => Promise<void>;
  /** @param reason what the login screen says */
  readonly onSignedOut: (reason?: MessageDescriptor) => void;
}

export function useAccount({ player, fetchExport, reauthenticate, onSignedOut }: AccountOptions) {
  const client = useApolloClient();
  const action = useAction(reauthenticate);
  const { attempt } = action;
  const browsers = useBrowsers(attempt);
  return {
    ...browsers,
    ...action,
    problem: action.problem ?? browsers.problem,

    signOutEverywhere: () =>
      attempt(msg`You could not be signed out everywhere.`, async () => {
        await client.mutate({ mutation: SignOutEverywhereDocument });
        onSignedOut();
      }),

    download: () =>
      attempt(msg`Your data could not be downloaded.`, async () => {
        const response = await fetchExport();
        const name = fileNameOf(response);
        if (!response.ok || !name) throw await refusalIn(response);
        download(await response.blob(), name);
        return msg`Your data is downloaded.`;
      }),

    deleteAccount: () =>
      attempt(msg`Your account may not be deleted yet. Please try again.`, async () => {
        await client.mutate({ mutation: DeleteAccountDocument });
        clearDeletedPlayer(player.id);
        onSignedOut(msg`Your account is deleted.`);
      }),
  };
}

function fileNameOf({ headers }: Response): string | undefined {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
}

function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers start to read the blob only after the click event.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function useBrowsers(attempt: Attempt) {
  const client = useApolloClient();
  const { data, loading, failed: isUnknown, retry, refetch } = useRetryingQuery(MySessionsDocument);
  const updateCache = (cache: ApolloCache, browsers: readonly SignedInBrowserFragment[] | undefined) =>
    browsers && cache.writeQuery({ query: MySessionsDocument, data: { mySessions: [...browsers] } });

  return {
    browsers: data?.mySessions ?? null,
    loading,
    problem: isUnknown ? { sentence: msg`Your signed-in browsers could not be loaded.`, retry } : null,

    signOut: ({ id, browser }: SignedInBrowserFragment) =>
      attempt(msg`That browser could not be signed out.`, async () => {
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
        return () => t`${{ browser: browserName(browser) }} is signed out.`;
      }),

    signOutOthers: () =>
      attempt(msg`Your other browsers could not be signed out.`, async () => {
        await client.mutate({
          mutation: EndOtherSessionsDocument,
          update: (cache, { data }) => updateCache(cache, data?.endOtherSessions),
        });
        return msg`All other browsers are signed out.`;
      }),
  };
}
