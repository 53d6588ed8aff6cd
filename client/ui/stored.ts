import { useSyncExternalStore } from 'react';
import { Listeners } from './listen.js';

/** A value that this browser keeps. A storage that is blocked or full keeps nothing, and the page works as before. */
export const stored = {
  get: (key: string): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },

  /** @param value null removes it @returns whether the browser has done it */
  set: (key: string, value: string | null): boolean => {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
      return true;
    } catch {
      return false;
    }
  },
};

/** Null for what is no JSON: another version or a user can have written it. */
export function fromJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

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
