import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { ApolloProvider } from '@apollo/client/react';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL, type GraphiQLProps } from 'graphiql';
import { getOperationAST, parse } from 'graphql';
import { type Client, createClient } from 'graphql-ws';
import { useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { createApolloClient } from '../data/apollo.js';
import type { Player } from '../data/player.js';
import { Session } from '../auth/session.js';
import { clearPlayground, clearStorageOnSignOut } from '../data/playerStorage.js';
import '../ui/theme/tokens.css';
import '../ui/base.css';
import '../ui/PageBar.css';
import { Button } from '../ui/Button.js';
import { stored } from '../ui/stored.js';
import { currentTheme, subscribeToSystemTheme } from '../ui/theme/theme.js';
import { PLUGINS } from './builder.js';
import { EXAMPLES, NO_TOKEN } from './examples.js';
import { keepLink, Share } from './Share.js';
import { Tokens } from './Tokens.js';
import './playground.css';

/** Opens the tokens. The account links to it, and a sign-in returns to it. */
const TOKENS_ADDRESS = '/playground/?open=tokens';
const isTokensAsked = (location.pathname + location.search).startsWith(TOKENS_ADDRESS);

const ADDRESS = new URL('/graphql', window.location.href).href;

i18n.loadAndActivate({ locale: 'en-GB', locales: 'en-GB', messages: {} });
const session = new Session();
clearStorageOnSignOut(session);
// GraphiQL reads the schema and the headers once, so they wait for the session.
await session.start();
const first = await session.token();
const player = session.getSnapshot().player;
// Another tab may sign in as somebody else: no request runs under another name than the one that the page shows.
session.on(() => session.getSnapshot().player?.id !== player?.id && window.location.reload());

// A lost socket stays lost, so that the reason stays visible.
const sockets = createClient({ url: ADDRESS.replace(/^http/, 'ws'), retryAttempts: 0 });

/** GraphiQL shows the last answer alone, so each has the events before it too, the newest first. */
const subscribe: Client['subscribe'] = (request, sink) => {
  let events: object[] = [];
  const next = (event: object) => {
    events = [{ at: new Date().toLocaleTimeString('en-GB'), ...event }, ...events].slice(0, 50);
    sink.next({ events } as object);
  };
  return sockets.subscribe(request, { ...sink, next });
};

const send = createGraphiQLFetcher({
  url: ADDRESS,
  enableIncrementalDelivery: false,
  wsClient: { ...sockets, subscribe },
  fetch: async (address, init) => {
    const headers = new Headers(init?.headers);
    // The header editor keeps the first token of the session, which ends after ten minutes.
    if (first && headers.get('authorization') === `Bearer ${first}`)
      headers.set('authorization', `Bearer ${(await session.token()) ?? first}`);
    return window.fetch(address, { ...init, headers });
  },
});

/** GraphiQL learns of the operations of a text only a moment after the text has changed, so this reads it again. */
const fetcher: GraphiQLProps['fetcher'] = (request, options) => {
  const documentAST = parse(request.query);
  const operation = getOperationAST(documentAST, request.operationName) ?? getOperationAST(documentAST);
  return send({ ...request, operationName: operation?.name?.value }, { ...options, documentAST });
};

/** GraphiQL's own way throws where the browser blocks storage. */
const storage: GraphiQLProps['storage'] = {
  getItem: stored.get,
  setItem: stored.set,
  removeItem: (key) => void stored.set(key, null),
  clear: clearPlayground,
  length: 0,
};

/** A narrow screen has no room for the variables at first. */
const TOOLS = window.matchMedia('(max-width: 48rem)').matches ? false : 'variables';

function Playground() {
  const theme = useSyncExternalStore(subscribeToSystemTheme, currentTheme);
  return (
    <>
      <header className="page-bar">
        <h1>Playground</h1>
        {player && first ? (
          <>
            <p className="soft">
              Signed in as <bdi translate="no">{player.name}</bdi>
            </p>
            <PersonalTokens player={player} />
          </>
        ) : (
          <p className="soft">
            Not signed in.{' '}
            <a
              href={`/?return_to=${isTokensAsked ? encodeURIComponent(TOKENS_ADDRESS) : '/playground/'}`}
              onClick={keepLink}
            >
              Sign in
            </a>
          </p>
        )}
        <a href="/">To the game</a>
      </header>
      <main>
        {/* The history would store the headers, and so the token. */}
        <GraphiQL
          fetcher={fetcher}
          storage={storage}
          defaultTabs={EXAMPLES}
          defaultHeaders={first ? JSON.stringify({ Authorization: `Bearer ${first}` }, null, 2) : NO_TOKEN}
          shouldPersistHeaders={false}
          plugins={PLUGINS}
          defaultEditorToolsVisibility={TOOLS}
          forcedTheme={theme}
        >
          <GraphiQL.Logo>
            <Share />
          </GraphiQL.Logo>
        </GraphiQL>
      </main>
    </>
  );
}

function PersonalTokens({ player }: { player: Player }) {
  const [client] = useState(() => createApolloClient(session, player.id));
  const [isOpen, setOpen] = useState(isTokensAsked);
  const signInAgain = () => session.reauthenticate(player.provider, TOKENS_ADDRESS);
  return (
    <ApolloProvider client={client}>
      <Button onClick={() => setOpen(true)}>Personal tokens</Button>
      {isOpen && <Tokens player={player} signInAgain={signInAgain} onClose={() => setOpen(false)} />}
    </ApolloProvider>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <I18nProvider i18n={i18n}>
    <Playground />
  </I18nProvider>,
);
