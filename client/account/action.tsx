import { useRef, useState } from 'react';
import { messages, refusals } from '../messages/account.js';
import { messages as pageMessages } from '../messages/game.js';
import { providerFor } from '../data/settings.js';
import { hasCode, Refused } from '../data/refused.js';
import { Announcer } from '../ui/Announcer.js';
import { Button, passFocusOn } from '../ui/Button.js';
import './account.css';

export interface Problem {
  readonly sentence: string;
  readonly retry: () => void;
  /** A retry cannot succeed before the player signs in again. */
  readonly needsSignIn?: boolean;
}

/**
 * Runs the actions of the account one at a time, and says how the last one went.
 * @param reauthenticate goes to the provider, for an action that needs a recent sign-in
 */
export function useAction(reauthenticate: () => Promise<void>) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState('');
  const [busy, setBusy] = useState(false);
  // Prevents a second action before React renders the disabled buttons.
  const working = useRef(false);

  const attempt = async (failed: string, work: () => Promise<string | void>): Promise<boolean> => {
    if (working.current) return false;
    working.current = true;
    setBusy(true);
    // Screen readers announce a repeated message only after a change.
    setDone('');
    try {
      setDone((await work()) ?? '');
      setProblem(null);
      return true;
    } catch (problem) {
      setProblem(problemOf(problem, failed, () => void attempt(failed, work)));
      return false;
    } finally {
      working.current = false;
      setBusy(false);
    }
  };

  const problemOf = (problem: unknown, failed: string, retry: () => void): Problem =>
    hasCode(problem, 'RECENT_SIGN_IN_REQUIRED')
      ? {
          sentence: messages.needsSignIn,
          retry: () => void attempt(messages.failed.signInAgain, reauthenticate),
          needsSignIn: true,
        }
      : { sentence: (problem instanceof Refused && refusals[problem.code]) || failed, retry };

  return { attempt, busy, done, problem };
}

export type Attempt = ReturnType<typeof useAction>['attempt'];

interface OutcomeProps extends Omit<ReturnType<typeof useAction>, 'attempt'> {
  provider: string;
}

/** In the footer of a dialog: how the last action went, and what to do about a failure. */
export function Outcome({ problem, done, busy, provider }: OutcomeProps) {
  return (
    <>
      <Announcer text={done} />
      {problem && (
        <div className={`account-problem ${problem.needsSignIn ? 'account-sign-in' : ''}`}>
          {/* Empty during a retry, so that screen readers announce the same sentence again. */}
          <p role="alert">{busy ? '\u00a0' : problem.sentence}</p>
          <Button ref={passFocusOn} onClick={problem.retry}>
            {problem.needsSignIn ? messages.signInAgain(providerFor(provider)) : pageMessages.retry}
          </Button>
        </div>
      )}
    </>
  );
}
