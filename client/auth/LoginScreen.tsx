import { Button } from '../ui/Button.js';
import { Mark } from '../ui/Mark.js';
import { messages } from '../messages/login.js';
import { ProviderMark } from './ProviderMark.js';
import { PROVIDERS } from './player.js';
import type { Provider } from './player.js';
import './LoginScreen.css';

interface Props {
  error: string | null;
  redirecting: boolean;
  onSignIn: (provider: Provider) => void;
}

const PICTURE = ['X', 'O', null, null, 'X', null, 'O', null, 'X'] as const;

export function LoginScreen({ error, redirecting, onSignIn }: Props) {
  return (
    <main className="login">
      <div className="login-card">
        <div className="login-picture" aria-hidden="true">
          {PICTURE.map((mark, at) => (
            <span key={at}>{mark && <Mark mark={mark} drawn />}</span>
          ))}
        </div>
        <h1>{messages.title}</h1>
        <p className="login-tagline">{messages.auth.tagline}</p>
        <div className="login-providers">
          {PROVIDERS.map((provider) => (
            <Button
              key={provider}
              look={provider === 'github' ? 'main' : 'plain'}
              // A disabled button would lose the focus.
              aria-disabled={redirecting}
              onClick={() => redirecting || onSignIn(provider)}
            >
              <ProviderMark provider={provider} />
              {messages.auth.continueWith[provider]}
            </Button>
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
