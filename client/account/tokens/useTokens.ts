import type { ApolloCache } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import {
  CreateTokenDocument,
  MyTokensDocument,
  RevokeTokenDocument,
  type CreateTokenMutationVariables,
  type ListedTokenFragment,
} from '../../graphql/generated.js';
import { hasCode } from '../../apollo.js';
import { messages } from '../../messages/tokens.js';
import { ServerRefusal, type Attempt } from '../useAction.js';

/** The personal tokens of the player, and the actions that make and revoke them. */
export function useTokens(attempt: Attempt) {
  const client = useApolloClient();
  const { data, error } = useQuery(MyTokensDocument, { fetchPolicy: 'cache-and-network' });
  /** The text of the new token, until the player has copied it. */
  const [secret, setSecret] = useState<string | null>(null);
  const tokens = data?.myTokens ?? null;

  const store = (cache: ApolloCache, myTokens: ListedTokenFragment[]) =>
    cache.writeQuery({ query: MyTokensDocument, data: { myTokens } });

  return {
    tokens,
    failed: !data && error !== undefined,
    secret,
    forgetSecret: () => setSecret(null),

    create: (variables: CreateTokenMutationVariables) =>
      attempt(messages.failed.create, async () => {
        try {
          const { data } = await client.mutate({
            mutation: CreateTokenDocument,
            variables,
            // The text of a token is not for the cache.
            fetchPolicy: 'no-cache',
          });
          if (!data) return;
          store(client.cache, [data.createToken.token, ...(tokens ?? [])]);
          setSecret(data.createToken.secret);
        } catch (problem) {
          if (hasCode(problem, 'TOO_MANY_TOKENS')) throw new ServerRefusal(messages.tooMany);
          throw problem;
        }
      }),

    revoke: ({ id, name }: ListedTokenFragment) =>
      attempt(messages.failed.revoke, async () => {
        await client.mutate({
          mutation: RevokeTokenDocument,
          variables: { id },
          update: (cache, { data }) => void (data && store(cache, data.revokeToken)),
        });
        return messages.done(name);
      }),
  };
}
