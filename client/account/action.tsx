import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { providerFor, providerName } from '../data/settings.js';
import { hasCode, Refused } from '../data/refused.js';
import { Announcer } from '../ui/Announcer.js';
import { Button, passFocusOn } from '../ui/Button.js';
import { REFUSALS } from './words.js';
import './account.css';

/** What stays on the screen. In words only when it is drawn, because the player can choose another language meanwhile. */
export type Sentence = MessageDescriptor | (() => string);

export const say = (sentence: Sentence): string => (typeof sentence === 'function' ? sentence() : i18n._(sentence));

export interface Problem {
  readonly sentence: Sentence;
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
  const [done, setDone] = useState<Sentence>();
  const [busy, setBusy] = useState(false);
  // Prevents a second action before React renders the disabled buttons.
  const working = useRef(false);

  const attempt = async (failed: Sentence, work: () => Promise<Sentence | void>): Promise<boolean> => {
    if (working.current) return false;
    working.current = true;
    setBusy(true);
    // Screen readers announce a repeated message only after a change.
    setDone(undefined);
    try {
      const said = (await work()) ?? undefined;
      setDone(() => said);
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

  const problemOf = (problem: unknown, failed: Sentence, retry: () => void): Problem =>
    hasCode(problem, 'RECENT_SIGN_IN_REQUIRED')
      ? {
          sentence: msg`To protect your account, please sign in again first.`,
          retry: () => void attempt(msg`The sign-in could not start. Please try again.`, reauthenticate),
          needsSignIn: true,
        }
      : { sentence: (problem instanceof Refused && REFUSALS[problem.code]) || failed, retry };

  return { attempt, busy, done, problem };
}

export type Attempt = ReturnType<typeof useAction>['attempt'];

interface OutcomeProps extends Omit<ReturnType<typeof useAction>, 'attempt'> {
  provider: string;
}

/** In the footer of a dialog: how the last action went, and what to do about a failure. */
export function Outcome({ problem, done, busy, provider }: OutcomeProps) {
  const { t } = useLingui();
  return (
    <>
      <Announcer text={done ? say(done) : ''} />
      {problem && (
        <div className={`account-problem ${problem.needsSignIn ? 'account-sign-in' : ''}`}>
          {/* Empty during a retry, so that screen readers announce the same sentence again. */}
          <p role="alert">{busy ? '\u00a0' : say(problem.sentence)}</p>
          <Button ref={passFocusOn} onClick={problem.retry}>
            {problem.needsSignIn
              ? t`Sign in again with ${{ provider: providerName(providerFor(provider)) }}`
              : t`Try again`}
          </Button>
        </div>
      )}
    </>
  );
}
