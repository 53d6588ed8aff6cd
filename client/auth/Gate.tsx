import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { PROVIDER } from '../data/playerStorage.js';
import { Button } from '../ui/Button.js';
import { LanguageChoice } from '../ui/LanguageChoice.js';
import { ProviderMark } from '../ui/ProviderMark.js';
import { stored } from '../ui/stored.js';
import { PRIVACY_URL, providerName, PROVIDERS } from '../data/settings.js';
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
          {state.phase === 'processing' && <LoadingScreen title={msg`Processing authentication...`} note={null} />}
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
  if (!window.isSecureContext) return t`Open this page over https.`;
  return PROVIDERS.length === 0 ? t`No sign-in is set up on this server.` : null;
}

function hint(): string | null {
  if (!PROVIDERS.includes('google') || !INSIDE_APP.test(navigator.userAgent)) return null;
  return PROVIDERS.includes('github')
    ? t`Google sign-in doesn't work inside apps. Open this page in your browser, or use GitHub.`
    : t`Google sign-in doesn't work inside apps. Open this page in your browser.`;
}

interface LoginScreenProps {
  error: MessageDescriptor | null;
  redirecting: boolean;
  onSignIn: (provider: Provider) => void;
  /** What visitors can do here besides signing in. */
  children?: ReactNode;
}

function LoginScreen({ error, redirecting, onSignIn, children }: LoginScreenProps) {
  const { t } = useLingui();
  // The game stores it (`LinkHint.tsx`).
  const last = stored.get(PROVIDER);
  return (
    <main className="login">
      <div className="login-card card">
        <h1>{t`Tic-Tac-Toe`}</h1>
        <p className="login-tagline">{t`Challenge the AI and climb the leaderboard!`}</p>
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
                  {t`Continue with ${{ provider: providerName(provider) }}`}
                </Button>
                {provider === last && (
                  <span id="last-used" className="login-last tag">
                    {t`Last used`}
                  </span>
                )}
              </div>
            ))}
          </div>
        )}
        <div className="login-notice">
          <p role="alert">{error && t(error)}</p>
          <p role="status" className="soft">
            {redirecting && t`Redirecting to login...`}
          </p>
        </div>
        <footer className="soft">
          <p>{t`Secure OAuth 2.0 authentication`}</p>
          <LanguageChoice />
          <a href="/accessibility" hrefLang="en">{t`Accessibility`}</a>
          {PRIVACY_URL && <a href={PRIVACY_URL}>{t`Privacy policy`}</a>}
        </footer>
      </div>
    </main>
  );
}
