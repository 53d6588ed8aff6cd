import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { MyStatsDocument } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { storedStats, takeStored, usePlayerStats } from '../playerStats.js';
import { listen } from '../ui/listen.js';

/** After this time the game appears without the stats. */
const LOADING_LIMIT_MS = 3000;
/** The specification asks for two fetches after a save: the game's and the stats'. */
const REFETCH_AFTER_SAVE_MS = [300, 500];
/** Prevents a fetch at every change between tabs. */
const FRESH_MS = 5000;

/** Fetches the player's stats into the cache, and hears of those of other tabs. */
export function useStats(playerId: string) {
  const { cache } = useApolloClient();
  const stats = usePlayerStats();
  // The cache can hold those of an earlier visit.
  const { data, error, loading, refetch } = useQuery(MyStatsDocument, { fetchPolicy: 'network-only' });

  useEffect(() => {
    // Not from the storage: this tab may have stored an older answer since.
    const onStorage = (event: StorageEvent) => takeStored(cache, playerId, storedStats.fromEvent(playerId, event));
    return listen(window, 'storage', onStorage);
  }, [cache, playerId]);

  useEffect(() => {
    if (error) console.warn(messages.stats.failed, error);
  }, [error]);

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

  useEffect(() => {
    const onVisible = () => {
      if (!document.hidden && performance.now() - fetchedAt.current >= FRESH_MS) fetchAgain();
    };
    return listen(document, 'visibilitychange', onVisible);
  }, [fetchAgain]);

  // The first is for after a save, the second for the start of a game.
  return { refetchSoon, retryIfFailed };
}
