import { Component, type ReactNode } from 'react';
import { messages } from '../../messages/login.js';
import { Button } from '../Button.js';

/** Replaces a crashed page with a message and a reload button. React logs the error. */
export class CrashScreen extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true };
  }

  override render(): ReactNode {
    if (!this.state.crashed) return this.props.children;
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
}
