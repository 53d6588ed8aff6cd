import { KeyRound } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ListedTokenFragment } from '../../graphql/generated.js';
import { messages as times } from '../../messages/game.js';
import { messages } from '../../messages/tokens.js';
import { Button } from '../../ui/Button.js';
import { TimeAgo } from '../../ui/time/TimeAgo.js';
import type { useAccount } from '../useAccount.js';
import { NewToken, Secret } from './NewToken.js';
import { useTokens } from './useTokens.js';
import './Tokens.css';

/** Lists the player's personal tokens, makes and revokes them. */
export function Tokens({ attempt, busy }: Pick<ReturnType<typeof useAccount>, 'attempt' | 'busy'>) {
  const { tokens, failed, secret, forgetSecret, create, revoke } = useTokens(attempt);
  const [making, setMaking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // The pressed button disappears together with its token or form.
  const focusHeading = () => heading.current?.focus();

  return (
    <section aria-labelledby={id} className="tokens">
      <h3 id={id} ref={heading} tabIndex={-1}>
        {messages.title}
      </h3>
      {making ? (
        <NewToken
          busy={busy}
          onCreate={async (variables) => {
            if (await create(variables)) setMaking(false);
          }}
          onCancel={() => {
            setMaking(false);
            focusHeading();
          }}
        />
      ) : (
        <>
          {secret ? (
            <Secret
              secret={secret}
              onDone={() => {
                forgetSecret();
                focusHeading();
              }}
            />
          ) : (
            <>
              <p className="tokens-text">{messages.text}</p>
              <div className="account-actions">
                <Button aria-disabled={busy} onClick={() => setMaking(true)}>
                  {messages.new}
                </Button>
              </div>
            </>
          )}
          <List
            tokens={tokens}
            failed={failed}
            busy={busy}
            onRevoke={(token) => void revoke(token).then((done) => done && focusHeading())}
          />
        </>
      )}
    </section>
  );
}

interface ListProps {
  tokens: readonly ListedTokenFragment[] | null;
  failed: boolean;
  busy: boolean;
  onRevoke: (token: ListedTokenFragment) => void;
}

function List({ tokens, failed, busy, onRevoke }: ListProps) {
  if (failed) return <p role="alert">{messages.failed.load}</p>;
  if (!tokens) return <div className="account-skeleton" role="status" aria-label={messages.loading} />;
  if (tokens.length === 0) return <p className="tokens-text">{messages.none}</p>;
  return (
    <ul className="account-browsers">
      {tokens.map((token) => (
        <Token key={token.id} token={token} busy={busy} onRevoke={() => onRevoke(token)} />
      ))}
    </ul>
  );
}

function Token({ token, busy, onRevoke }: { token: ListedTokenFragment; busy: boolean; onRevoke: () => void }) {
  const { name, scopes, lastUsedAt, expiresAt } = token;
  return (
    <li className="account-browser">
      <KeyRound aria-hidden />
      <div className="account-browser-text">
        <b dir="auto">{name}</b>
        <p>
          <span>{scopes.map((scope) => messages.scopes[scope]).join(', ')}</span>{' '}
          <span>
            {lastUsedAt ? (
              <>
                {messages.used} <TimeAgo at={lastUsedAt} />
              </>
            ) : (
              messages.neverUsed
            )}
          </span>{' '}
          <span>{expiresAt ? messages.ends(times.time.date(new Date(expiresAt))) : messages.endless}</span>
        </p>
      </div>
      <Button aria-label={messages.revokeToken(name)} aria-disabled={busy} onClick={onRevoke}>
        {messages.revoke}
      </Button>
    </li>
  );
}
