// First, so that the styles of a part win.
import './ui/theme/tokens.css';
import './ui/base.css';
import { msg } from '@lingui/core/macro';
import { StrictMode, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { Gate } from './auth/Gate.js';
import { LoadingScreen } from './auth/LoadingScreen.js';
import { SessionContext } from './auth/SessionContext.js';
import { Session } from './auth/session.js';
import { activateFirst } from './messages/language.js';
import { Trial } from './play/Trial.js';
import { clearStorageOnSignOut } from './data/playerStorage.js';
import { Caught, CrashScreen } from './ui/failure/Caught.js';
import { lostStyles } from './ui/styles.js';
import { LOADING_LIMIT_MS } from './ui/time/clock.js';

const session = new Session();
const loadApp = async () => {
  await lostStyles();
  return import('./App.js');
};
const loadGame = async () => (await loadApp()).default;
/** In the same chunk as the game, which a visitor who plays is likely to need next. */
const loadTrialGame = async () => (await loadApp()).TrialGame;

// The login screen needs neither the game nor Apollo. A returning player needs both soon.
if (session.wasSignedIn) void loadApp();

/** In the same chunk too: a visitor behind such a link soon plays. Without it, the login screen is as usual. */
const loadDare = (onDared: () => void) =>
  loadApp().then(
    ({ Dare }) =>
      () => <Dare onDared={onDared} />,
    () => () => null,
  );

/** Shows the children until the part is loaded. Not with Suspense: React shows its fallback for at least 300 ms. */
function Late({ load, children }: { load: () => Promise<ComponentType>; children: ReactNode }) {
  const [Part, setPart] = useState<ComponentType | null>(null);
  useEffect(() => {
    load().then(
      (loaded) => setPart(() => loaded),
      (problem: unknown) =>
        setPart(() => {
          throw problem;
        }),
    );
  }, [load]);
  return Part ? <Part /> : children;
}

/** Looks when the login screen appears: only then a failed sign-in has its address back. */
function Offer() {
  const [dared, setDared] = useState(false);
  const [load] = useState(() => () => loadDare(() => setDared(true)));
  return (
    <>
      {/^\/[dp]\//.test(location.pathname) && (
        <Late load={load}>
          <div className="login-dare" />
        </Late>
      )}
      <Trial load={loadTrialGame} dared={dared} />
    </>
  );
}

clearStorageOnSignOut(session);
// Beside the file of the language, so that neither waits for the other.
void session.start();

/** Not with an `await`, for which the bundler would split the page into more files. */
void activateFirst(LOADING_LIMIT_MS).then(() =>
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <Caught fallback={<CrashScreen />}>
          <SessionContext value={session}>
            <Gate trial={<Offer />}>
              <Late load={loadGame}>
                <LoadingScreen note={msg`Loading stats...`} />
              </Late>
            </Gate>
          </SessionContext>
        </Caught>
      </I18nProvider>
    </StrictMode>,
  ),
);
