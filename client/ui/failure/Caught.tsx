import { Component, type ReactNode } from 'react';
import { messages } from '../../messages/login.js';
import { Button } from '../Button.js';

/** Replaces children that crash or cannot be loaded. React logs the error. */
export class Caught extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

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
