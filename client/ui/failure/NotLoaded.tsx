import { Component, type ReactNode } from 'react';
import { messages } from '../../messages/game.js';
import { Button, passFocusOn } from '../Button.js';
import { Dialog } from '../Dialog.js';

interface Props {
  onClose: () => void;
  children: ReactNode;
}

/** Catches a failed load of a lazy part, so that the game stays. React logs the error. */
export class NotLoaded extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    const { onClose, children } = this.props;
    if (!this.state.failed) return children;
    return (
      <Dialog title={messages.notLoaded.title} onClose={onClose}>
        <p role="alert" className="dialog-note faint">
          {messages.notLoaded.text}
        </p>
      </Dialog>
    );
  }
}

/** In place of content that could not be loaded. */
export function Failed({ className, text, retry }: { className: string; text: string; retry: () => void }) {
  return (
    <div className={`${className} centred`}>
      <p role="alert">{text}</p>
      <Button ref={passFocusOn} onClick={retry}>
        {messages.retry}
      </Button>
    </div>
  );
}
