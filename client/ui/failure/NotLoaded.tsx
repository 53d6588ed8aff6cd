import { messages } from '../../messages/game.js';
import { Button, passFocusOn } from '../Button.js';
import { Dialog } from '../Dialog.js';

/** In place of a dialog whose code could not be loaded. */
export function NotLoaded({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={messages.notLoaded.title} onClose={onClose}>
      <p role="alert" className="dialog-note faint">
        {messages.notLoaded.text}
      </p>
    </Dialog>
  );
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
