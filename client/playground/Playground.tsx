import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useState } from 'react';
import { useSession, useSessionState } from '../auth/SessionContext.js';
import { currentTheme } from '../ui/theme.js';
import { OPERATIONS } from './operations.js';
import { createFetcher } from './fetcher.js';
import { texts } from './texts.js';
import './Playground.css';

const PLUGINS = [HISTORY_PLUGIN];

export function Playground() {
  const session = useSession();
  const { phase, player } = useSessionState();
  const [fetcher] = useState(() => createFetcher(session));

  return (
    <div className="playground">
      <header className="playground-bar">
        <h1>{texts.title}</h1>
        <p role="status" dir="auto">
          {player && texts.signedInAs(player.name)}
          {phase === 'signed out' && texts.signedOut}
          {phase === 'loading' && texts.checking}
        </p>
        <a href="/">{texts.toGame}</a>
      </header>
      {/* The schema is asked for once, so the first question waits until it is known who asks. */}
      {(player || phase === 'signed out') && (
        <GraphiQL
          fetcher={fetcher}
          defaultTabs={OPERATIONS}
          plugins={PLUGINS}
          forcedTheme={currentTheme()}
          shouldPersistHeaders={false}
        />
      )}
    </div>
  );
}
