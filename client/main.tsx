// First, so that the styles of a part win.
import './ui/theme/tokens.css';
import './ui/base.css';
import { StrictMode, useEffect, useState, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { LoadingScreen, Gate } from './auth/Gate.js';
import { SessionProvider } from './auth/SessionContext.js';
import { Session } from './auth/session.js';
import { messages } from './messages/login.js';
import { Trial } from './play/Trial.js';
import { clearStorageOnSignOut } from './playerStorage.js';
import { CrashScreen } from './ui/failure/CrashScreen.js';

const session = new Session();
const loadApp = () => import('./App.js');
/** In the same chunk as the game, which a visitor who plays is likely to need next. */
const loadTrialGame = async () => (await loadApp()).TrialGame;

// The login screen needs neither the game nor Apollo. A returning player needs both soon.
if (session.wasSignedIn) void loadApp();
clearStorageOnSignOut(session);
void session.start();

/** Not with Suspense: React shows its fallback for at least 300 ms. */
function Game() {
  const [App, setApp] = useState<ComponentType | null>(null);
  useEffect(() => {
    loadApp().then(
      (loaded) => setApp(() => loaded.default),
      (problem: unknown) =>
        setApp(() => {
          throw problem;
        }),
    );
  }, []);
  return App ? <App /> : <LoadingScreen note={messages.auth.loadingStats} />;
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <CrashScreen>
      <SessionProvider session={session}>
        <Gate trial={<Trial load={loadTrialGame} />}>
          <Game />
        </Gate>
      </SessionProvider>
    </CrashScreen>
  </StrictMode>,
);
