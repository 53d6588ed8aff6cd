import type { ReactNode } from 'react';
import { messages } from '../../messages/login.js';
import { LoadingScreen } from './LoadingScreen.js';
import { LoginScreen } from './LoginScreen.js';
import { useSession, useSessionState } from '../SessionContext.js';

/** Shows the game to signed-in players only. `trial` is what the login screen offers to play. */
export function Gate({ trial, children }: { trial?: ReactNode; children: ReactNode }) {
  const session = useSession();
  const state = useSessionState();

  switch (state.phase) {
    case 'loading':
      return <LoadingScreen note={messages.auth.checking} />;
    case 'signed out':
      return (
        <LoginScreen
          error={state.error}
          redirecting={state.redirecting}
          onSignIn={(provider) => void session.signIn(provider)}
        >
          {trial}
        </LoginScreen>
      );
    default:
      return (
        <>
          {state.phase === 'processing' && <LoadingScreen title={messages.auth.processing} />}
          {/* Hide the game instead of unmounting it, so that a hash in the address does not reset the board. */}
          {state.player && (
            <div key={state.player.id} hidden={state.phase === 'processing'}>
              {children}
            </div>
          )}
        </>
      );
  }
}
