import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { Session } from '../auth/session.js';
import { clearStorageOnSignOut } from '../playerStorage.js';
import '../ui/theme/tokens.css';
import '../ui/base.css';
import { Playground } from './Playground.js';

const session = new Session();
const getToken = (refused?: string) => session.token(refused);
clearStorageOnSignOut(session);
void session.start();

function Page() {
  const { phase, player } = useSyncExternalStore(session.subscribe, session.getSnapshot);
  const known = phase === 'signed in' || phase === 'signed out';
  return <Playground playerName={known ? (player?.name ?? null) : undefined} getToken={getToken} />;
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />);
