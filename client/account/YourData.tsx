import { Download, Trash2 } from 'lucide-react';
import { messages } from '../messages/account.js';
import { PRIVACY_URL } from '../data/settings.js';
import { Button } from '../ui/Button.js';
import { Question, Section, useFocusAfter } from './parts.js';
import type { useAccount } from './useAccount.js';

interface Props extends Pick<ReturnType<typeof useAccount>, 'busy' | 'download' | 'deleteAccount'> {
  deleting: boolean;
  setDeleting: (deleting: boolean) => void;
}

export function YourData({ busy, download, deleteAccount, deleting, setDeleting }: Props) {
  const asker = useFocusAfter<HTMLButtonElement>(deleting);
  return (
    <Section title={messages.data}>
      {deleting ? (
        <Question title={messages.deleteTitle} danger>
          <p>{messages.deleteText}</p>
          <div className="actions">
            <Button onClick={() => setDeleting(false)}>{messages.keep}</Button>
            <Button look="danger" aria-disabled={busy} onClick={() => void deleteAccount()}>
              {messages.deleteForGood}
            </Button>
          </div>
        </Question>
      ) : (
        <div className="actions">
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
      <a href="/playground/?open=tokens">{messages.tokens}</a>
      {PRIVACY_URL && <a href={PRIVACY_URL}>{messages.privacy}</a>}
    </Section>
  );
}
