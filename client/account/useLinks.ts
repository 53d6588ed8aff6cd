import { useApolloClient } from '@apollo/client/react';
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
import { messages as pageMessages } from '../messages/game.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { links as messages } from '../messages/account.js';
import { refusalIn } from '../data/refused.js';
import type { Attempt } from './action.js';

type PendingLink = NonNullable<PendingLinkQuery['pendingLink']>;

export interface LinkOptions {
  readonly postLink: (provider: Provider) => Promise<Response>;
  /** The query of the address to which a link has returned. */
  readonly returned: string;
}

function failureOf(error: string | null): string {
  const known: Readonly<Record<string, string>> = pageMessages.auth.signInErrors;
  return error ? (known[error] ?? messages.failed.link) : '';
}

function useReturnedLink(returned: string, attempt: Attempt) {
  const client = useApolloClient();
  const [pending, setPending] = useState<PendingLink | null>(null);
  const [notice, setNotice] = useState<string | null>(null);

  const parameters = new URLSearchParams(returned);
  const code = parameters.get('link') ?? '';

  useEffect(() => {
    if (!code) return;
    void attempt(messages.failed.link, async () => {
      const { data } = await client.query({
        query: PendingLinkDocument,
        variables: { code },
        fetchPolicy: 'no-cache',
      });
      if (data?.pendingLink) setPending(data.pendingLink);
      else setNotice(messages.expired);
    });
    // Each return is read once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [code]);

  return { code, pending, setPending, notice: notice ?? failureOf(parameters.get('link_error')), setNotice };
}

export function useLinks({ postLink, returned }: LinkOptions, attempt: Attempt) {
  const client = useApolloClient();
  const { data, loading, failed } = useRetryingQuery(MyIdentitiesDocument);
  const [unlinking, setUnlinking] = useState<Provider | null>(null);
  const { code, pending, setPending, notice, setNotice } = useReturnedLink(returned, attempt);

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
      attempt(messages.failed.link, async () => {
        setNotice('');
        const response = await postLink(provider);
        if (!response.ok) throw await refusalIn(response);
        window.location.assign(((await response.json()) as { location: string }).location);
      }),

    confirm: () =>
      attempt(messages.failed.link, async () => {
        const { data } = await client.mutate({ mutation: ConfirmLinkDocument, variables: { code } });
        const answer = data!.confirmLink;
        setPending(null);
        setNotice(answer.__typename === 'LinkRefused' ? messages.refusal(pending!.provider, answer) : '');
        await client.refetchQueries({ include: [MyIdentitiesDocument] });
        return answer.__typename === 'LinkRefused' ? '' : messages.done.link(pending!.provider);
      }),

    unlink: () =>
      attempt(messages.failed.unlink, async () => {
        await client.mutate({
          mutation: UnlinkIdentityDocument,
          variables: { provider: unlinking! },
          update: (cache, { data }) =>
            data && cache.writeQuery({ query: MyIdentitiesDocument, data: { myIdentities: data.unlinkIdentity } }),
        });
        setUnlinking(null);
        await client.refetchQueries({ include: [MySessionsDocument] });
        return messages.done.unlink(unlinking!);
      }),
  };
}
