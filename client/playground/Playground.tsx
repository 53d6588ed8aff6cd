import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useState, useSyncExternalStore } from 'react';
import { currentTheme, subscribeToSystemTheme } from '../ui/theme/theme.js';
import { Actions } from './Actions.js';
import type { View } from './Actions.js';
import { createFetcher } from './fetcher.js';
import type { Measured } from './fetcher.js';
import type { GetToken } from '../graphql/sendWithToken.js';
import { readTicket } from './finishedGame.js';
import type { Ticket } from './finishedGame.js';
import { OPERATIONS } from './operations.js';
import { createSubscriptions } from './subscriptions.js';
import { messages } from './messages.js';
import '../ui/PageBar.css';
import './Playground.css';

const PLUGINS = [HISTORY_PLUGIN];
/** The breakpoint of Playground.css. Narrow screens start with the variables hidden. */
const NARROW = '(max-width: 48rem)';

interface Props {
  /** Null when nobody is signed in, undefined until the session is loaded. */
  playerName: string | null | undefined;
  getToken: GetToken;
}

export function Playground({ playerName, getToken }: Props) {
  const theme = useSyncExternalStore(subscribeToSystemTheme, currentTheme);
  const [measured, setMeasured] = useState<Measured | null>(null);
  const [{ fetcher, lastTicket }] = useState(() => connect(getToken, setMeasured));
  const [view, setView] = useState<View>('operation');
  return (
    <div className="playground">
      <header className="page-bar">
        <h1>{messages.title}</h1>
        <p role="status" dir="auto">
          {signInStatus(playerName)} {playerName === null && <a href="/?return_to=/playground/">{messages.signIn}</a>}
        </p>
        <a href="/docs">{messages.toRest}</a>
        <a href="/">{messages.toGame}</a>
      </header>
      <main data-view={view}>
        {/* GraphiQL fetches the schema once, so it must wait for the session. */}
        {playerName !== undefined && (
          <GraphiQL
            fetcher={fetcher}
            defaultTabs={OPERATIONS}
            plugins={PLUGINS}
            defaultEditorToolsVisibility={!window.matchMedia(NARROW).matches}
            forcedTheme={theme}
            shouldPersistHeaders={false}
          >
            <Actions
              signedIn={playerName !== null}
              getToken={getToken}
              lastTicket={lastTicket}
              measured={measured}
              view={view}
              onView={setView}
            />
          </GraphiQL>
        )}
      </main>
    </div>
  );
}

/** Creates GraphiQL's fetcher and remembers the ticket of the last StartGame. */
function connect(getToken: GetToken, onMeasured: (measured: Measured | null) => void) {
  let ticket: Ticket | null = null;
  const fetcher = createFetcher({
    getToken,
    subscribe: createSubscriptions(),
    onMeasured,
    onAnswer: (answer) => (ticket = readTicket(answer, performance.now()) ?? ticket),
  });
  return { fetcher, lastTicket: () => ticket };
}

function signInStatus(playerName: string | null | undefined): string {
  if (playerName === undefined) return messages.checking;
  return playerName === null ? messages.signedOut : messages.signedInAs(playerName);
}
