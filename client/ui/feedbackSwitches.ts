import { storedSwitch } from './stored.js';

/** What the page can add to a move and a result. Both are off until the player chooses them in this browser. */
export type FeedbackKind = 'sound' | 'vibration';

export const feedbackSwitches = {
  sound: storedSwitch('tic-tac-toe.sound', false),
  vibration: storedSwitch('tic-tac-toe.vibration', false),
} satisfies Record<FeedbackKind, unknown>;
