import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { createRoot } from 'react-dom/client';
import { SessionProvider } from '../auth/SessionContext.js';
import { Session } from '../auth/session.js';
import '../ui/tokens.css';
import '../ui/base.css';
import { Playground } from './Playground.js';

const session = new Session();
void session.start();

createRoot(document.getElementById('root') as HTMLElement).render(
  <SessionProvider session={session}>
    <Playground />
  </SessionProvider>,
);
