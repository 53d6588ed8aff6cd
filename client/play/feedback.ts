import { useEffect, useRef, type RefObject } from 'react';
import { feedbackSwitches, type FeedbackKind } from '../ui/switches.js';
import { isMotionReduced } from '../ui/motion.js';
import type { FeedbackEvent } from './effects.js';
import type { Round } from './round.js';

/** Describes a step for eyes and ears. Null when there is nothing new, as with a new game. */
export function feedbackFor(before: Round, after: Round): FeedbackEvent | null {
  const { game, bonus, lastSquare } = after;
  // The server can report the bonus after the game.
  if (game === before.game) return bonus && !before.bonus ? 'bonus' : null;
  if (lastSquare === null) return null;
  if (game.outcome) return bonus ? 'bonus' : game.outcome.result;
  return game.board[lastSquare] === 'X' ? 'mark' : 'answer';
}

/** Bursts, sounds and vibration in a separate chunk, which the first mark loads. */
const load = () => import('./effects.js');

/** @param card the card with the board */
function giveFeedback(event: FeedbackEvent, card: HTMLElement | null): void {
  const still = isMotionReduced();
  const sound = feedbackSwitches.sound.isOn();
  // Vibration is motion too.
  if (still && !sound) return;
  load().then(
    ({ burst, playSound, vibrate }) => {
      if (sound) playSound(event);
      if (!still && feedbackSwitches.vibration.isOn()) vibrate(event);
      if (!still && card && (event === 'win' || event === 'bonus')) burst(card, event);
    },
    // The game goes on without effects.
    () => undefined,
  );
}

/** Lets the player hear or feel what they have just switched on. */
export function previewFeedback(kind: FeedbackKind): void {
  load().then(
    ({ playSound, vibrate }) => (kind === 'sound' ? playSound('win') : vibrate('win')),
    () => undefined,
  );
}

/** Gives feedback on each step of the round. Returns the ref for the card with the board. */
export function useFeedback(round: Round): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null);
  const last = useRef(round);

  useEffect(() => {
    const event = feedbackFor(last.current, round);
    last.current = round;
    if (event) giveFeedback(event, card.current);
  }, [round]);

  return card;
}
