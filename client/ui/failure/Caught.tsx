import { useLingui } from '@lingui/react/macro';
import { Component, type ReactNode } from 'react';
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
  const { t } = useLingui();
  return (
    <main className="centred whole-screen">
      <h1>{t`Something went wrong`}</h1>
      <p role="alert">{t`The page hit a problem. Your finished games are safe.`}</p>
      <Button look="main" onClick={() => window.location.reload()}>
        {t`Reload`}
      </Button>
    </main>
  );
}
