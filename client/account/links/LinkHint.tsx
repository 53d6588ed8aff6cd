import { X } from 'lucide-react';
import { messages } from '../../messages/game.js';
import './LinkHint.css';

interface Props {
  /** The provider of the other account. */
  provider: string;
  onOpenAccount: () => void;
  onDismiss: () => void;
}

/** Tells the owner of two accounts how to make them one. */
export function LinkHint({ provider, onOpenAccount, onDismiss }: Props) {
  return (
    <aside className="link-hint">
      <p>
        {messages.linkHint.text(provider)}{' '}
        <button type="button" onClick={onOpenAccount}>
          {messages.linkHint.open}
        </button>
      </p>
      <button type="button" aria-label={messages.play.dismiss} onClick={onDismiss}>
        <X aria-hidden />
      </button>
    </aside>
  );
}
