import { useEffect, useRef, useState } from 'react';
import { messages } from '../../messages/tokens.js';
import { Button } from '../../ui/Button.js';

/** Shows the text of a new token, once. */
export function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [said, setSaid] = useState('');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setSaid(messages.copied);
    } catch {
      setSaid(messages.notCopied);
    }
  };

  return (
    <div ref={box} className="account-question" role="group" tabIndex={-1} aria-label={messages.created}>
      <b>{messages.created}</b>
      <code className="tokens-secret">{secret}</code>
      <p role="status">{said}</p>
      <div className="account-actions">
        <Button onClick={onDone}>{messages.close}</Button>
        <Button look="main" onClick={() => void copy()}>
          {messages.copy}
        </Button>
      </div>
    </div>
  );
}
