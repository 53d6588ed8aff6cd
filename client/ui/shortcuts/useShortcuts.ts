import { useEffect, useRef } from 'react';
import { listen } from '../listen.js';
import { storedSwitch } from '../switches.js';

/** Single-key shortcuts. Players can turn them off, because they disturb speech input (WCAG 2.1.4). */
export const shortcutsSwitch = storedSwitch('tic-tac-toe.shortcuts', true);

/**
 * What a key of another script is called by its place: `д` in Russian and `λ` in Greek are at L. Empty for a Latin letter or
 * digit, and for a digit with Shift, which is a sign on most keyboards.
 */
function placeOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (!/^[^a-z0-9]$/iu.test(key) || (shiftKey && code.startsWith('Digit'))) return '';
  return /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase() ?? '';
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
      if (!shortcutsSwitch.isOn() || document.querySelector('dialog[open]')) return;
      if (
        event.target instanceof Element &&
        event.target.closest('textarea, select, [contenteditable], input:not([type=radio])')
      )
        return;
      (latest.current[event.key.toLowerCase()] ?? latest.current[placeOf(event)])?.();
    };
    return listen(window, 'keydown', onKeyDown);
  }, []);
}
