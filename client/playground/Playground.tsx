import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useState, useSyncExternalStore } from 'react';
import { currentTheme, watchSystemTheme } from '../ui/theme.js';
import { createFetcher } from './fetcher.js';
import type { GetToken } from './fetcher.js';
import { OPERATIONS } from './operations.js';
import { texts } from './texts.js';
import './Playground.css';

const PLUGINS = [HISTORY_PLUGIN];

interface Props {
  /** Null when nobody is signed in, undefined as long as that is not known. */
  playerName: string | null | undefined;
  getToken: GetToken;
}

export function Playground({ playerName, getToken }: Props) {
  const theme = useSyncExternalStore(watchSystemTheme, currentTheme);
  const [fetcher] = useState(() => createFetcher(getToken));
  return (
    <div className="playground">
      <header className="playground-bar">
        <h1>{texts.title}</h1>
        <p role="status" dir="auto">
          {who(playerName)} {playerName === null && <a href="/?return_to=/playground/">{texts.signIn}</a>}
        </p>
        <a href="/">{texts.toGame}</a>
      </header>
      <main>
        {/* The schema is asked for once, so the first question waits until it is known who asks. */}
        {playerName !== undefined && (
          <GraphiQL
            fetcher={fetcher}
            defaultTabs={OPERATIONS}
            plugins={PLUGINS}
            forcedTheme={theme}
            shouldPersistHeaders={false}
          />
        )}
      </main>
    </div>
  );
}

function who(playerName: string | null | undefined): string {
  if (playerName === undefined) return texts.checking;
  return playerName === null ? texts.signedOut : texts.signedInAs(playerName);
}
