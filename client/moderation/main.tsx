import { ApolloProvider, useQuery } from '@apollo/client/react';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { createApolloClient } from '../data/apollo.js';
import type { Player } from '../data/player.js';
import { Session } from '../auth/session.js';
import { ModeratorCheckDocument } from '../graphql/generated.js';
import { clearStorageOnSignOut } from '../data/playerStorage.js';
import { here, LISTS, stayOnPage, useView } from './address.js';
import { Audit, Players } from './lists.js';
import { Loaded } from './Loaded.js';
import { PlayerPage } from './PlayerPage.js';
import '../ui/theme/tokens.css';
import '../ui/base.css';
import '../ui/PageBar.css';
import './moderation.css';

i18n.loadAndActivate({ locale: 'en-GB', locales: 'en-GB', messages: {} });
const session = new Session();
clearStorageOnSignOut(session);
stayOnPage();
void session.start();

function Page() {
  const state = useSyncExternalStore(session.subscribe, session.getSnapshot);
  if (state.player) return <SignedIn key={state.player.id} player={state.player} />;
  if (state.phase !== 'signed out') return <p role="status">Checking authentication...</p>;
  return (
    <div className="moderation-alone">
      <h2>You are not signed in.</h2>
      <p role="alert">
        {state.error ? i18n._(state.error) : 'For moderators only. After signing in you are back here.'}
      </p>
      <a className="button button-main" href={`/?return_to=${encodeURIComponent(here())}`}>
        Sign in
      </a>
    </div>
  );
}

function SignedIn({ player: { id, name, provider } }: { player: Player }) {
  const [client] = useState(() => createApolloClient(session, id));
  const query = useQuery(ModeratorCheckDocument, { client });
  if (query.data?.me.isModerator)
    return (
      <ApolloProvider client={client}>
        <Sections moderatorId={id} signInAgain={() => session.reauthenticate(provider, here())} />
      </ApolloProvider>
    );
  return (
    <Loaded query={query}>
      {() => (
        <div className="moderation-alone">
          <h2>You are not a moderator.</h2>
          <p>
            You are signed in as <bdi translate="no">{name}</bdi>. The operator of this server names the moderators in
            the setting <code>MODERATORS</code>. Send the operator your player id:
          </p>
          <code className="moderation-id faint">{id}</code>
        </div>
      )}
    </Loaded>
  );
}

function Sections(moderator: { moderatorId: string; signInAgain: () => Promise<void> }) {
  const { list, player } = useView();
  const content = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  // As after the load of a page, the focus is at the start. A search leaves it where it is.
  useEffect(() => {
    if (!isFirst.current) content.current?.focus();
    isFirst.current = false;
  }, [list, player]);

  return (
    <>
      <nav aria-label="Sections">
        {Object.entries(LISTS).map(([name, label]) => (
          <a key={name} href={`?list=${name}`} aria-current={name === list && (player ? true : 'page')}>
            {label}
          </a>
        ))}
      </nav>
      <div ref={content} tabIndex={-1}>
        {player && <PlayerPage key={player} id={player} {...moderator} />}
        {!player && list === 'audit' && <Audit />}
        {!player && list !== 'audit' && <Players key={list} list={list} />}
      </div>
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <I18nProvider i18n={i18n}>
    <Page />
  </I18nProvider>,
);
