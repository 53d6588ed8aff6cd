import { X } from 'lucide-react';
import { messages } from '../../messages/game.js';
import './LinkHint.css';

interface Props {
  /** The provider of the other account. */
  provider: string;
  onDismiss: () => void;
}

/** Tells the owner of two accounts how to keep one. */
export function LinkHint({ provider, onDismiss }: Props) {
  return (
    <aside className="link-hint">
      <p>{messages.linkHint(provider)}</p>
      <button type="button" aria-label={messages.play.dismiss} onClick={onDismiss}>
        <X aria-hidden />
      </button>
    </aside>
  );
}
