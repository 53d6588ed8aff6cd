import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { CreateTokenMutationVariables, TokenScope } from '../graphql/generated.js';
import { Question } from '../account/parts.js';
import { counted } from '../ui/counted.js';
import { Button } from '../ui/Button.js';
import { copy } from '../ui/share.js';
import { within } from '../ui/within.js';

/** What each scope allows, in the order of the form. */
export const SCOPES: Readonly<Record<TokenScope, string>> = {
  stats_read: 'Read stats and places',
  games_read: 'Read finished games',
  games_write: 'Play games',
  account_read: 'Read the email address',
};
const ALL = Object.keys(SCOPES) as TokenScope[];
const DAYS = [7, 30, 90, null];

interface Props {
  /** What was typed before a new sign-in. */
  typed: CreateTokenMutationVariables | null;
  busy: boolean;
  onCreate: (variables: CreateTokenMutationVariables) => Promise<void>;
  onCancel: () => void;
}

export function NewToken({ typed, busy, onCreate, onCancel }: Props) {
  const [missing, setMissing] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => name.current?.focus(), []);

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const given = new FormData(event.currentTarget);
    const scopes = given.getAll('scope') as TokenScope[];
    setMissing(scopes.length === 0);
    if (scopes.length === 0) return;
    void onCreate({ name: given.get('name') as string, scopes, days: Number(given.get('days')) || null });
  };

  return (
    <form className="account-question tokens-form" onSubmit={submit}>
      <label>
        Name
        {/* Not only blanks: the server would refuse them. */}
        <input
          ref={name}
          name="name"
          className="field"
          defaultValue={typed?.name}
          required
          onInput={within(50)}
          pattern=".*\S.*"
          autoComplete="off"
        />
      </label>
      <Scopes chosen={typed ? [typed.scopes].flat() : ALL.filter((scope) => scope !== 'account_read')} />
      {missing && <p role="alert">Choose what the program may do.</p>}
      <label>
        Ends
        <select name="days" className="field" defaultValue={typed ? (typed.days ?? '') : 30}>
          {DAYS.map((days) => (
            <option key={days} value={days ?? ''}>
              {days === null ? 'Never' : `In ${counted(days, 'day')}`}
            </option>
          ))}
        </select>
      </label>
      <div className="actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="main" aria-disabled={busy}>
          Create token
        </Button>
      </div>
    </form>
  );
}

function Scopes({ chosen }: { chosen: readonly TokenScope[] }) {
  return (
    <fieldset>
      <legend>The program may</legend>
      {ALL.map((scope) => (
        <label key={scope} className="switch">
          <input type="checkbox" name="scope" value={scope} defaultChecked={chosen.includes(scope)} />
          {SCOPES[scope]}
        </label>
      ))}
    </fieldset>
  );
}

const SAID = { copied: 'Copied.', failed: 'Select the token and copy it.' };

export function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [done, setDone] = useState<'copied' | 'failed' | null>(null);
  return (
    <Question title="Copy your token now. You won't see it again.">
      <code className="tokens-secret tile" translate="no">
        {secret}
      </code>
      <p role="status">{done && SAID[done]}</p>
      <div className="actions">
        <Button onClick={onDone}>Done</Button>
        <Button look="main" onClick={() => void copy(secret).then(setDone)}>
          Copy
        </Button>
      </div>
    </Question>
  );
}
