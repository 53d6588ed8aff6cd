import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import { messages } from '../../messages/login.js';
import { PROVIDER } from '../../playerStorage.js';
import { ProviderMark } from '../../ui/ProviderMark.js';
import { stored } from '../../ui/stored.js';
import { PROVIDERS, type Provider } from '../player.js';
import '../../ui/Card.css';
import './LoginScreen.css';

interface Props {
  error: string | null;
  redirecting: boolean;
  onSignIn: (provider: Provider) => void;
  /** What visitors can do here besides signing in. */
  children?: ReactNode;
}

export function LoginScreen({ error, redirecting, onSignIn, children }: Props) {
  // The game stores it (`LinkHint.tsx`).
  const last = stored.get(PROVIDER);
  return (
    <main className="login">
      <div className="login-card card">
        <h1>{messages.title}</h1>
        <p className="login-tagline">{messages.auth.tagline}</p>
        {children}
        <div className="login-providers">
          {PROVIDERS.map((provider) => (
            <div key={provider} className="login-provider">
              <Button
                look={provider === 'github' ? 'main' : 'plain'}
                // A disabled button would lose the focus.
                aria-disabled={redirecting}
                aria-describedby={provider === last ? 'last-used' : undefined}
                onClick={() => redirecting || onSignIn(provider)}
              >
                <ProviderMark provider={provider} />
                {messages.auth.continueWith[provider]}
              </Button>
              {provider === last && (
                <span id="last-used" className="login-last tag">
                  {messages.auth.lastUsed}
                </span>
              )}
            </div>
          ))}
        </div>
        <div className="login-notice">
          <p role="alert">{error}</p>
          <p role="status">{redirecting && messages.auth.redirecting}</p>
        </div>
        <footer>{messages.auth.footer}</footer>
      </div>
    </main>
  );
}
