import { useEffect, useRef, useSyncExternalStore } from 'react';
import { listen } from '../listen.js';

const KEY = 'tic-tac-toe.shortcuts';
const subscribers = new Set<() => void>();

function subscribe(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
}

const areOn = () => localStorage.getItem(KEY) !== 'off';

/** Whether single-key shortcuts are on. Players can turn them off, because they disturb speech input (WCAG 2.1.4). */
export function useShortcutsSwitch(): [on: boolean, set: (on: boolean) => void] {
  const on = useSyncExternalStore(subscribe, areOn);
  const set = (next: boolean) => {
    if (next) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
    for (const subscriber of subscribers) subscriber();
  };
  return [on, set];
}

/** Calls the action of a pressed key, unless a field, a dialog or the browser uses the key. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      if (!areOn() || document.querySelector('dialog[open]')) return;
      if (
        event.target instanceof Element &&
        event.target.closest('textarea, select, [contenteditable], input:not([type=radio])')
      )
        return;
      latest.current[event.key.toLowerCase()]?.();
    };
    return listen(window, 'keydown', onKeyDown);
  }, []);
}
