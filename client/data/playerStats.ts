import type { ApolloCache } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { STATS_FIELDS, WINS_FOR_BONUS, gamesIn, pickStats, type Stats } from '../../game/scoring.js';
import { MyStatsDocument } from '../graphql/generated.js';
import { listen } from '../ui/listen.js';
import { fromJson, stored as browser } from '../ui/stored.js';
import { LOADING_LIMIT_MS } from '../ui/time/clock.js';
import { serverAnswered } from './refused.js';
import { statsKey } from './playerStorage.js';

/** The player's stats by the server's last answer. Apollo's cache is the one source; null while unknown. */
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
 * can have fewer, because some can be voided.
 * @returns whether they had more
 */
export function takeStored(cache: ApolloCache, playerId: string, other: StoredStats | null): boolean {
  const known = statsIn(cache);
  const isNewer = other !== null && !(known && gamesIn(other.stats) <= gamesIn(known));
  if (isNewer) putStats(cache, playerId, other.stats);
  return isNewer;
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

  set: (playerId: string, stats: Stats) =>
    browser.set(statsKey(playerId), JSON.stringify({ ...pickStats(stats), at: Date.now() })),

  /** Returns the stats that another tab has stored for this player; null for all other events. */
  fromEvent: (playerId: string, { key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): StoredStats | null =>
    key === statsKey(playerId) ? parseStoredStats(newValue) : null,
};

/** Validates the value, because another version or a user can have written it. */
function parseStoredStats(text: string | null): StoredStats | null {
  const stored = fromJson<Stats & { at: number }>(text, { at: 0 });
  if (!stored) return null;
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

/** The answer to a game has its stats. These fetches bring the games that other browsers have finished meanwhile. */
const REFETCH_AFTER_SAVE_MS = [300, 500];
/** Prevents a fetch at every change between tabs. */
const FRESH_MS = 5000;

/** Fetches the player's stats into the cache. */
export function useStats(playerId: string) {
  const stats = usePlayerStats();
  // The cache can hold those of an earlier visit.
  const { data, error, loading, refetch } = useQuery(MyStatsDocument, { fetchPolicy: 'network-only' });

  useEffect(() => {
    if (error) console.warn('Failed to load stats', error);
  }, [error]);

  // The game then appears without the stats.
  const [timedOut, setTimedOut] = useState(false);
  useEffect(() => {
    const limit = setTimeout(() => setTimedOut(true), LOADING_LIMIT_MS);
    return () => clearTimeout(limit);
  }, []);

  const fetches = useFetches(refetch, Boolean(error));

  return {
    /** By the server's last answer, in this visit or an earlier one; null when unknown. */
    stats,
    /** When the server sent the stats, by this computer's clock, if it does not answer now. Otherwise null. */
    asOf: data && !error ? null : (storedStats.get(playerId)?.at ?? null),
    /** True until the first answer, failure or timeout. */
    loading: loading && !data && !timedOut,
    ...fetches,
  };
}

/**
 * Fetches the stats again: after a save, when the tab becomes visible, and, after a failure, when the network returns or a
 * game starts.
 */
function useFetches(refetch: () => Promise<unknown>, failed: boolean) {
  const fetchedAt = useRef(-Infinity);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);

  const fetchAgain = useCallback(() => {
    fetchedAt.current = performance.now();
    // An effect already logs `error`.
    refetch().catch(() => undefined);
  }, [refetch]);

  const refetchSoon = useCallback(() => {
    timers.current.forEach(clearTimeout);
    timers.current = REFETCH_AFTER_SAVE_MS.map((delay) => setTimeout(fetchAgain, delay));
  }, [fetchAgain]);

  useEffect(() => {
    fetchedAt.current = performance.now();
    return () => timers.current.forEach(clearTimeout);
  }, []);

  const retryIfFailed = useCallback(() => void (failed && fetchAgain()), [failed, fetchAgain]);

  useEffect(() => listen(window, 'online', retryIfFailed), [retryIfFailed]);
  useEffect(() => serverAnswered.add(retryIfFailed), [retryIfFailed]);

  useEffect(() => {
    const onVisible = () => {
      if (!document.hidden && performance.now() - fetchedAt.current >= FRESH_MS) fetchAgain();
    };
    return listen(document, 'visibilitychange', onVisible);
  }, [fetchAgain]);

  // The first is for after a save, the second for the start of a game.
  return { refetchSoon, retryIfFailed };
}
