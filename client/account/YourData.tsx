import { Download, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { messages } from '../messages/account.js';
import { Button } from '../ui/Button.js';
import type { useAccount } from './useAccount.js';

interface Props extends Pick<ReturnType<typeof useAccount>, 'busy' | 'download' | 'deleteAccount'> {
  /** True while the dialog asks for confirmation. */
  deleting: boolean;
  setDeleting: (deleting: boolean) => void;
}

export function YourData({ busy, download, deleteAccount, deleting, setDeleting }: Props) {
  const id = useId();
  const question = useRef<HTMLDivElement>(null);
  const asker = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);

  // The confirmation and its button replace each other, so the focus moves between them.
  useEffect(() => {
    if (deleting) question.current?.focus();
    else if (asked.current) asker.current?.focus();
    asked.current = deleting;
  }, [deleting]);

  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{messages.data}</h3>
      {deleting ? (
        <div
          ref={question}
          className="account-question"
          role="group"
          tabIndex={-1}
          aria-labelledby={`${id}title ${id}text`}
        >
          <b id={`${id}title`}>{messages.deleteTitle}</b>
          <p id={`${id}text`}>{messages.deleteText}</p>
          <div className="account-actions">
            <Button onClick={() => setDeleting(false)}>{messages.keep}</Button>
            <Button look="danger" aria-disabled={busy} onClick={() => void deleteAccount()}>
              {messages.deleteForGood}
            </Button>
          </div>
        </div>
      ) : (
        <div className="account-actions">
          <Button aria-disabled={busy} onClick={() => void download()}>
            <Download aria-hidden />
            {messages.download}
          </Button>
          <Button ref={asker} className="account-delete" onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden />
            {messages.delete}
          </Button>
        </div>
      )}
    </section>
  );
}
