import type { FeedbackEvent } from './feedback.js';

/** Everything that only makes a move or a result felt: one separate chunk. */
export { burst } from './burst.js';
export { playSound } from './sounds.js';

/** Milliseconds of vibration and pause in turn. */
const PATTERNS: Readonly<Record<FeedbackEvent, readonly number[]>> = {
  mark: [10],
  answer: [],
  win: [30, 60, 50],
  bonus: [30, 50, 30, 50, 120],
  lose: [90],
  draw: [30, 90, 30],
};

export function vibrate(event: FeedbackEvent): void {
  navigator.vibrate?.([...PATTERNS[event]]);
}
