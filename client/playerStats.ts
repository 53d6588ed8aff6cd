import type { ApolloCache } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useCallback, useSyncExternalStore } from 'react';
import { STATS_FIELDS, WINS_FOR_BONUS, gamesIn, pickStats, type Stats } from '../game/scoring.js';
import { MyStatsDocument } from './graphql/generated.js';
import { statsKey } from './playerStorage.js';
import { fromJson, stored as browser } from './ui/stored.js';

/** The player's stats by the server's last answer. They are in Apollo's cache and nowhere else; null while unknown. */
export function usePlayerStats(): Stats | null {
  const { cache } = useApolloClient();
  const subscribe = useCallback(
    (onChange: () => void) => cache.watch({ query: MyStatsDocument, optimistic: true, callback: onChange }),
    [cache],
  );
  return useSyncExternalStore(subscribe, () => statsIn(cache));
}

function statsIn(cache: ApolloCache): Stats | null {
  return cache.readQuery({ query: MyStatsDocument })?.me.stats ?? null;
}

export function putStats(cache: ApolloCache, playerId: string, stats: Stats): void {
  const known = { __typename: 'PlayerStats', playerId, ...pickStats(stats) } as const;
  cache.writeQuery({ query: MyStatsDocument, data: { me: { __typename: 'Me', stats: known } } });
}

/**
 * Puts stats that an earlier visit or another tab has stored into the cache, if they have more games. An answer to this tab
 * can have fewer, because an operator can void some.
 */
export function takeStored(cache: ApolloCache, playerId: string, other: StoredStats | null): void {
  const known = statsIn(cache);
  if (other && !(known && gamesIn(other.stats) <= gamesIn(known))) putStats(cache, playerId, other.stats);
}

export interface StoredStats {
  readonly stats: Stats;
  /** When the server sent them, by this computer's clock. Milliseconds since the epoch. */
  readonly at: number;
}

/** What this browser stores of each player's stats, for a visit without a network and for its other tabs. */
export const storedStats = {
  /** Returns null when nothing valid is stored. */
  get: (playerId: string): StoredStats | null => parseStoredStats(browser.get(statsKey(playerId))),

  set: (playerId: string, stats: Stats): void =>
    browser.set(statsKey(playerId), JSON.stringify({ ...pickStats(stats), at: Date.now() })),

  /** Returns the stats that another tab has stored for this player; null for all other events. */
  fromEvent: (playerId: string, { key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): StoredStats | null =>
    key === statsKey(playerId) ? parseStoredStats(newValue) : null,
};

/** Validates the value, because another version or a user can have written it. */
function parseStoredStats(text: string | null): StoredStats | null {
  const stored = fromJson(text) as (Stats & { at: number }) | null;
  if (typeof stored !== 'object' || !stored) return null;
  const { at, score, winStreak } = stored;
  const counts = STATS_FIELDS.filter((name) => name !== 'score').map((name) => stored[name]);
  const isGood =
    [score, ...counts, at].every(Number.isSafeInteger) &&
    [...counts, at].every((count) => count >= 0) &&
    winStreak < WINS_FOR_BONUS &&
    // An invalid date cannot be shown.
    !Number.isNaN(new Date(at).getTime());
  return isGood ? { stats: pickStats(stored), at } : null;
}
