import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { CreateTokenMutationVariables, TokenScope } from '../graphql/generated.js';
import { tokens as messages } from '../messages/account.js';
import { Button } from '../ui/Button.js';
import { Question } from './parts.js';

const SCOPES = Object.keys(messages.scopes) as TokenScope[];
const DAYS = [7, 30, 90, null];

interface Props {
  busy: boolean;
  onCreate: (variables: CreateTokenMutationVariables) => Promise<void>;
  onCancel: () => void;
}

/** The form for a new token. */
export function NewToken({ busy, onCreate, onCancel }: Props) {
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
        <input ref={name} name="name" className="field" required maxLength={50} pattern=".*\S.*" autoComplete="off" />
      </label>
      <fieldset>
        <legend>{messages.may}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} className="switch">
            <input type="checkbox" name="scope" value={scope} defaultChecked={scope !== 'account_read'} />
            {messages.scopes[scope]}
          </label>
        ))}
      </fieldset>
      {missing && <p role="alert">{messages.noScope}</p>}
      <label>
        {messages.end}
        <select name="days" className="field" defaultValue={30}>
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

/** Shows the text of a new token, once. */
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
