import { messages } from '../../messages/login.js';
import { Button } from '../Button.js';

/** In place of a page that has crashed. */
export function CrashScreen() {
  return (
    <main className="centred whole-screen">
      <h1>{messages.crash.title}</h1>
      <p role="alert">{messages.crash.text}</p>
      <Button look="main" onClick={() => window.location.reload()}>
        {messages.crash.reload}
      </Button>
    </main>
  );
}
