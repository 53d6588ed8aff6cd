import { useApolloClient } from '@apollo/client/react';
import { msg } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import {
  ConfirmLinkDocument,
  MyIdentitiesDocument,
  MySessionsDocument,
  PendingLinkDocument,
  type PendingLinkQuery,
  type Provider,
  UnlinkIdentityDocument,
} from '../graphql/generated.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { SIGN_IN_ERRORS } from '../messages/signInErrors.js';
import { refusalIn } from '../data/refused.js';
import { providerName } from '../data/settings.js';
import { LINK_FAILED, refusedLink } from './words.js';
import type { Attempt, Sentence } from './action.js';

type PendingLink = NonNullable<PendingLinkQuery['pendingLink']>;

export interface LinkOptions {
  readonly postLink: (provider: Provider) => Promise<Response>;
  /** The query of the address to which a link has returned. */
  readonly returned: string;
}

const failureOf = (error: string | null): Sentence | null => (error ? (SIGN_IN_ERRORS[error] ?? LINK_FAILED) : null);

function useReturnedLink(returned: string, attempt: Attempt) {
  const client = useApolloClient();
  const [pending, setPending] = useState<PendingLink | null>(null);
  const [notice, setNotice] = useState<Sentence | null>();
  const tell = (sentence: Sentence | null) => setNotice(() => sentence);

  const parameters = new URLSearchParams(returned);
  const code = parameters.get('link') ?? '';

  useEffect(() => {
    if (!code) return;
    void attempt(LINK_FAILED, async () => {
      const { data } = await client.query({
        query: PendingLinkDocument,
        variables: { code },
        fetchPolicy: 'no-cache',
      });
      if (data?.pendingLink) setPending(data.pendingLink);
      else tell(msg`This link has expired. Please start again.`);
    });
    // Each return is read once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [code]);

  const told = notice === undefined ? failureOf(parameters.get('link_error')) : notice;
  return { code, pending, setPending, notice: told, tell };
}

export function useLinks({ postLink, returned }: LinkOptions, attempt: Attempt) {
  const client = useApolloClient();
  const { data, loading, failed } = useRetryingQuery(MyIdentitiesDocument);
  const [unlinking, setUnlinking] = useState<Provider | null>(null);
  const { code, pending, setPending, notice, tell } = useReturnedLink(returned, attempt);

  return {
    identities: data?.myIdentities ?? null,
    loading,
    failed,
    pending,
    unlinking,
    notice,
    setUnlinking,
    asking: pending !== null || unlinking !== null,

    cancel: () => {
      setPending(null);
      setUnlinking(null);
    },

    start: (provider: Provider) =>
      attempt(LINK_FAILED, async () => {
        tell(null);
        const response = await postLink(provider);
        if (!response.ok) throw await refusalIn(response);
        window.location.assign(((await response.json()) as { location: string }).location);
      }),

    confirm: () =>
      attempt(LINK_FAILED, async () => {
        const { data } = await client.mutate({ mutation: ConfirmLinkDocument, variables: { code } });
        const answer = data!.confirmLink;
        const { provider } = pending!;
        setPending(null);
        const isRefused = answer.__typename === 'LinkRefused';
        tell(isRefused ? () => refusedLink(provider, answer) : null);
        await client.refetchQueries({ include: [MyIdentitiesDocument] });
        return isRefused ? undefined : msg`${{ provider: providerName(provider) }} is linked.`;
      }),

    unlink: () =>
      attempt(msg`This sign-in method could not be unlinked.`, async () => {
        await client.mutate({
          mutation: UnlinkIdentityDocument,
          variables: { provider: unlinking! },
          update: (cache, { data }) =>
            data && cache.writeQuery({ query: MyIdentitiesDocument, data: { myIdentities: data.unlinkIdentity } }),
        });
        setUnlinking(null);
        await client.refetchQueries({ include: [MySessionsDocument] });
        return msg`${{ provider: providerName(unlinking!) }} is unlinked.`;
      }),
  };
}
