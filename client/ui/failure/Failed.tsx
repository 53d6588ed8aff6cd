import { messages } from '../../messages/game.js';
import { Button } from '../Button.js';
import { passFocusOn } from '../passFocusOn.js';

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
