import { useSyncExternalStore } from 'react';

/** The first one is shown without a choice in the address. */
export const LISTS = { all: 'Players', hidden: 'Hidden', banned: 'Banned', audit: 'Decisions' };
export const ORDERS = { date: 'Newest', name: 'Name', score: 'Score', rate: 'Win rate, from 30 games' };

export const here = () => location.pathname + location.search;

/**
 * All that the page shows is in its address, so that a moderator can send the link. It has plain links and a plain form: a
 * browser with the Navigation API follows them without loading the page again, another one loads it.
 */
export function stayOnPage(): void {
  window.navigation?.addEventListener('navigate', (event) => {
    const isHere = new URL(event.destination.url).pathname === location.pathname;
    if (isHere && event.canIntercept && event.navigationType !== 'reload') event.intercept({ focusReset: 'manual' });
  });
}

function subscribe(onChange: () => void) {
  window.navigation?.addEventListener('currententrychange', onChange);
  return () => window.navigation?.removeEventListener('currententrychange', onChange);
}

/** The list with its search, order and page, or the player who is shown instead. */
export function useView() {
  const given = new URLSearchParams(useSyncExternalStore(subscribe, () => location.search));
  const one = <Name extends string>(key: string, names: Readonly<Record<Name, string>>) =>
    (Object.hasOwn(names, given.get(key) ?? '') ? given.get(key) : Object.keys(names)[0]) as Name;
  const { q = '', after = null, player } = Object.fromEntries(given) as Readonly<Record<string, string | undefined>>;
  return { list: one('list', LISTS), order: one('order', ORDERS), q, after, player };
}
