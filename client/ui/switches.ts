import { useSyncExternalStore } from 'react';
import { Listeners } from './listen.js';
import { stored } from './stored.js';

/** A switch that this browser keeps, where it is not as at first. */
export function storedSwitch(key: string, atFirst: boolean) {
  const subscribers = new Listeners();
  const isOn = () => (stored.get(key) ?? (atFirst ? 'on' : 'off')) === 'on';
  const set = (on: boolean) => {
    stored.set(key, on === atFirst ? null : on ? 'on' : 'off');
    subscribers.tell();
  };
  return { isOn, useSwitch: () => [useSyncExternalStore(subscribers.add, isOn), set] as const };
}

/** What the page can add to a move and a result. Both are off until the player chooses them in this browser. */
export type FeedbackKind = 'sound' | 'vibration';

export const feedbackSwitches = {
  sound: storedSwitch('tic-tac-toe.sound', false),
  vibration: storedSwitch('tic-tac-toe.vibration', false),
} satisfies Record<FeedbackKind, unknown>;
