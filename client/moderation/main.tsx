import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApolloClient } from '../apollo.js';
import { SessionProvider } from '../auth/SessionContext.js';
import { Session } from '../auth/session.js';
import { clearStorageOnSignOut } from '../playerStorage.js';
import { CrashScreen } from '../ui/failure/CrashScreen.js';
import '../ui/theme/tokens.css';
import '../ui/base.css';
import { stayOnPage } from './address.js';
import { Moderation } from './Moderation.js';

const session = new Session();
clearStorageOnSignOut(session);
stayOnPage();
void session.start();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <CrashScreen>
      <Moderation session={session} connect={(playerId) => createApolloClient(session, playerId)} />
    </CrashScreen>
  </StrictMode>,
);
