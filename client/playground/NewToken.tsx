import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { CreateTokenMutationVariables, TokenScope } from '../graphql/generated.js';
import { Question } from '../account/parts.js';
import { tokens as messages } from '../messages/playground.js';
import { Button } from '../ui/Button.js';

const SCOPES = Object.keys(messages.scopes) as TokenScope[];
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
        {messages.name}
        {/* Not only blanks: the server would refuse them. */}
        <input
          ref={name}
          name="name"
          className="field"
          defaultValue={typed?.name}
          required
          maxLength={50}
          pattern=".*\S.*"
          autoComplete="off"
        />
      </label>
      <Scopes chosen={typed ? [typed.scopes].flat() : SCOPES.filter((scope) => scope !== 'account_read')} />
      {missing && <p role="alert">{messages.noScope}</p>}
      <label>
        {messages.end}
        <select name="days" className="field" defaultValue={typed ? (typed.days ?? '') : 30}>
          {DAYS.map((days) => (
            <option key={days} value={days ?? ''}>
              {messages.days(days)}
            </option>
          ))}
        </select>
      </label>
      <div className="actions">
        <Button onClick={onCancel}>{messages.cancel}</Button>
        <Button type="submit" look="main" aria-disabled={busy}>
          {messages.create}
        </Button>
      </div>
    </form>
  );
}

function Scopes({ chosen }: { chosen: readonly TokenScope[] }) {
  return (
    <fieldset>
      <legend>{messages.may}</legend>
      {SCOPES.map((scope) => (
        <label key={scope} className="switch">
          <input type="checkbox" name="scope" value={scope} defaultChecked={chosen.includes(scope)} />
          {messages.scopes[scope]}
        </label>
      ))}
    </fieldset>
  );
}

export function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setSaid(messages.copied);
    } catch {
      setSaid(messages.notCopied);
    }
  };

  return (
    <Question title={messages.created}>
      <code className="tokens-secret tile" translate="no">
        {secret}
      </code>
      <p role="status">{said}</p>
      <div className="actions">
        <Button onClick={onDone}>{messages.close}</Button>
        <Button look="main" onClick={() => void copy()}>
          {messages.copy}
        </Button>
      </div>
    </Question>
  );
}
