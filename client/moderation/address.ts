import { useSyncExternalStore } from 'react';
import { messages } from './messages.js';

/** What the page shows. All of it is in the address, so that a moderator can send the link to another one. */
export interface View {
  readonly list: keyof typeof messages.lists;
  readonly sort: keyof typeof messages.sorts;
  /** A part of a name, an email address or an id. */
  readonly q: string;
  /** The id of the player who is shown instead of the list. */
  readonly player: string | null;
}

/**
 * The page has plain links and a plain form. A browser with the Navigation API changes the address without loading the page
 * again; another one loads it.
 */
export function stayOnPage(): void {
  if (!('navigation' in window)) return;
  navigation.addEventListener('navigate', (event) => {
    const isHere = new URL(event.destination.url).pathname === location.pathname;
    if (isHere && event.canIntercept && event.navigationType !== 'reload') event.intercept({ focusReset: 'manual' });
  });
}

export function useView(): View {
  const given = new URLSearchParams(useSyncExternalStore(subscribe, () => location.search));
  const one = <Name extends string>(key: string, names: Readonly<Record<Name, unknown>>, usual: Name) =>
    Object.hasOwn(names, given.get(key) ?? '') ? (given.get(key) as Name) : usual;
  return {
    list: one('list', messages.lists, 'all'),
    sort: one('sort', messages.sorts, 'name'),
    q: given.get('q') ?? '',
    player: given.get('player'),
  };
}

function subscribe(onChange: () => void) {
  if (!('navigation' in window)) return () => undefined;
  navigation.addEventListener('currententrychange', onChange);
  return () => navigation.removeEventListener('currententrychange', onChange);
}
