import type { ReactNode } from 'react';
import { messages } from '../messages/login.js';
import { PROVIDER } from '../data/playerStorage.js';
import { Button } from '../ui/Button.js';
import { LanguageChoice } from '../ui/LanguageChoice.js';
import { ProviderMark } from '../ui/ProviderMark.js';
import { stored } from '../ui/stored.js';
import { PRIVACY_URL, PROVIDERS } from '../data/settings.js';
import type { Provider } from '../data/player.js';
import { useSession, useSessionState } from './SessionContext.js';
import { LoadingScreen } from './LoadingScreen.js';
import '../ui/Card.css';
import './Gate.css';

/** Shows the game to signed-in players only. `trial` is what the login screen offers to play. */
export function Gate({ trial, children }: { trial?: ReactNode; children: ReactNode }) {
  const session = useSession();
  const state = useSessionState();

  switch (state.phase) {
    case 'loading':
      return <LoadingScreen />;
    case 'signed out':
      return (
        <LoginScreen
          error={state.error}
          redirecting={state.redirecting}
          onSignIn={(provider) => void session.signIn(provider)}
        >
          {trial}
        </LoginScreen>
      );
    default:
      return (
        <>
          {state.phase === 'processing' && <LoadingScreen title={messages.auth.processing} note="" />}
          {/* Hide the game instead of unmounting it, so that a hash in the address does not reset the board. */}
          {state.player && (
            <div key={state.player.id} hidden={state.phase === 'processing'}>
              {children}
            </div>
          )}
        </>
      );
  }
}

/** The browsers of apps, which Google refuses on a page that does not lead back here. */
const INSIDE_APP =
  /; wv\)|\b(FBA[NV]|Instagram|Line|LinkedInApp|MicroMessenger|Pinterest|Snapchat|TikTok|musical_ly)\b/;

/** What stands in place of the buttons, if anything. */
function problem(): string | null {
  if (!window.isSecureContext) return messages.auth.needsHttps;
  return PROVIDERS.length === 0 ? messages.auth.noProvider : null;
}

function hint(): string | null {
  if (!PROVIDERS.includes('google') || !INSIDE_APP.test(navigator.userAgent)) return null;
  return PROVIDERS.includes('github') ? messages.auth.insideApp : messages.auth.insideAppWithoutGitHub;
}

interface LoginScreenProps {
  error: string | null;
  redirecting: boolean;
  onSignIn: (provider: Provider) => void;
  /** What visitors can do here besides signing in. */
  children?: ReactNode;
}

function LoginScreen({ error, redirecting, onSignIn, children }: LoginScreenProps) {
  // The game stores it (`LinkHint.tsx`).
  const last = stored.get(PROVIDER);
  return (
    <main className="login">
      <div className="login-card card">
        <h1>{messages.title}</h1>
        <p className="login-tagline">{messages.auth.tagline}</p>
        {children}
        {hint() && <p className="login-tagline">{hint()}</p>}
        {problem() ? (
          <p role="alert">{problem()}</p>
        ) : (
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
        )}
        <div className="login-notice">
          <p role="alert">{error}</p>
          <p role="status">{redirecting && messages.auth.redirecting}</p>
        </div>
        <footer className="soft">
          <p>{messages.auth.footer}</p>
          <LanguageChoice />
          {PRIVACY_URL && <a href={PRIVACY_URL}>{messages.privacy}</a>}
        </footer>
      </div>
    </main>
  );
}
