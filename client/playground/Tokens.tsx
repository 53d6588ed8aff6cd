import type { ApolloCache } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { type Attempt, Outcome, useAction } from '../account/action.js';
import { Row, Since, useFocusAfter } from '../account/parts.js';
import {
  CreateTokenDocument,
  type CreateTokenMutationVariables,
  type ListedTokenFragment,
  MyTokensDocument,
  RevokeTokenDocument,
} from '../graphql/generated.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { draftKey } from '../data/playerStorage.js';
import { hasCode } from '../data/refused.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { fromJson, storedInTab } from '../ui/stored.js';
import { formatDate } from '../ui/time/formatTime.js';
import { NewToken, SCOPES, Secret } from './NewToken.js';

interface Props {
  player: { readonly id: string; readonly provider: string };
  signInAgain: () => Promise<void>;
  onClose: () => void;
}

export function Tokens({ player, signInAgain, onClose }: Props) {
  const action = useAction(signInAgain);
  const { busy } = action;
  const [typed, keepTyped] = useTyped(player.id);
  const { tokens, failed, secret, forgetSecret, create, revoke } = useTokens(action.attempt, keepTyped);
  const [making, setMaking] = useState(typed !== null);
  const newToken = useFocusAfter<HTMLButtonElement>(making || secret !== null);
  const stop = () => {
    keepTyped(null);
    setMaking(false);
  };

  return (
    <Dialog
      title="Personal tokens"
      onClose={onClose}
      // The form and the new token have the prominent button.
      closeLook={making || secret ? 'plain' : 'main'}
      footer={<Outcome {...action} provider={player.provider} />}
    >
      <div className="account stack">
        {making ? (
          <NewToken
            typed={typed}
            busy={busy}
            onCreate={async (variables) => {
              if (await create(variables)) stop();
            }}
            onCancel={stop}
          />
        ) : (
          <>
            {secret ? (
              <Secret secret={secret} onDone={forgetSecret} />
            ) : (
              <p className="soft">
                With a token, your own program plays for you. Everybody sees that a program has played.
              </p>
            )}
            <div className="actions">
              <Button ref={newToken} aria-disabled={busy} onClick={() => setMaking(true)}>
                New token
              </Button>
            </div>
            <List
              tokens={tokens}
              failed={failed}
              busy={busy}
              // The pressed button disappears together with its token.
              onRevoke={(token) => void revoke(token).then((done) => done && newToken.current?.focus())}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** What is typed waits in its tab while the player signs in again. */
function useTyped(playerId: string) {
  const key = draftKey(playerId, 'token');
  const [typed, setTyped] = useState(() =>
    fromJson<CreateTokenMutationVariables>(storedInTab.get(key), { name: '', scopes: [] }),
  );
  const keep = (next: CreateTokenMutationVariables | null) => {
    storedInTab.set(key, next && JSON.stringify(next));
    setTyped(next);
  };
  return [typed, keep] as const;
}

interface ListProps {
  tokens: readonly ListedTokenFragment[] | null;
  failed: boolean;
  busy: boolean;
  onRevoke: (token: ListedTokenFragment) => void;
}

function List({ tokens, failed, busy, onRevoke }: ListProps) {
  if (failed) return <p role="alert">Your tokens could not be loaded.</p>;
  if (!tokens) return <div className="account-skeleton skeleton" role="status" aria-label="Loading personal tokens" />;
  if (tokens.length === 0) return <p className="soft">No tokens yet.</p>;
  return (
    <ul className="account-rows">
      {tokens.map((token) => (
        <Row
          key={token.id}
          icon={<KeyRound aria-hidden />}
          name={token.name}
          facts={[
            token.scopes.map((scope) => SCOPES[scope]).join(', '),
            token.lastUsedAt ? <Since text="Last used" at={token.lastUsedAt} /> : 'Never used',
            token.expiresAt ? `Ends on ${formatDate(token.expiresAt)}` : 'No end',
          ]}
        >
          <Button aria-label={`Revoke ${token.name}`} aria-disabled={busy} onClick={() => onRevoke(token)}>
            Revoke
          </Button>
        </Row>
      ))}
    </ul>
  );
}

function useTokens(attempt: Attempt, keepTyped: (typed: CreateTokenMutationVariables) => void) {
  const client = useApolloClient();
  const { data, failed } = useRetryingQuery(MyTokensDocument);
  /** The text of the new token, until the player has copied it. */
  const [secret, setSecret] = useState<string | null>(null);
  const tokens = data?.myTokens ?? null;

  const store = (cache: ApolloCache, myTokens: ListedTokenFragment[]) =>
    cache.writeQuery({ query: MyTokensDocument, data: { myTokens } });

  return {
    tokens,
    failed,
    secret,
    forgetSecret: () => setSecret(null),

    create: (variables: CreateTokenMutationVariables) => {
      let failed = 'The token could not be created.';
      const work = async () => {
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
          if (hasCode(problem, 'RECENT_SIGN_IN_REQUIRED')) keepTyped(variables);
          if (hasCode(problem, 'TOO_MANY_TOKENS')) failed = 'You have 20 tokens. Revoke one first.';
          throw problem;
        }
      };
      return attempt(() => failed, work);
    },

    revoke: ({ id, name }: ListedTokenFragment) => {
      const work = async () => {
        await client.mutate({
          mutation: RevokeTokenDocument,
          variables: { id },
          update: (cache, { data }) => void (data && store(cache, data.revokeToken)),
        });
        return () => `${name} is revoked.`;
      };
      return attempt(() => 'The token could not be revoked.', work);
    },
  };
}
