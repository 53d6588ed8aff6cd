import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { gamesIn } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { MyStatsDocument } from '../graphql/generated.js';
import { storedStats } from '../storedStats.js';
import { messages } from '../messages/game.js';

/** The specification asks for two fetches after a save: the game's and the stats'. */
const REFETCH_AFTER_SAVE_MS = [300, 500];
/** After this time the game appears without the stats. */
const LOADING_LIMIT_MS = 3000;
/** Prevents a fetch at every change between tabs. */
const FRESH_MS = 5000;

interface PlayerStats {
  /** The last stats from the server, in this visit or an earlier one; null when unknown. */
  readonly stats: Stats | null;
  /** When the server sent the stats, by this computer's clock, if it does not answer now. Otherwise null. */
  readonly asOf: number | null;
  /** True until the first answer, failure or timeout. */
  readonly loading: boolean;
  /** Takes stats from other answers of the server. */
  readonly update: (stats: Stats) => void;
  /** Call it after a game was saved. */
  readonly refetchSoon: () => void;
  /** Call it when a game starts: repeats a failed fetch. */
  readonly retryIfFailed: () => void;
}

export function useStats(playerId: string): PlayerStats {
  const { cache } = useApolloClient();
  const { data, error, loading, refetch } = useQuery(MyStatsDocument);
  const [stored, setStored] = useState(() => storedStats.get(playerId));
  const fetchedAt = useRef(-Infinity);
  const unmounted = useRef(false);

  const update = useCallback(
    (stats: Stats) => {
      // Do not store an answer that arrives after the sign-out.
      if (unmounted.current) return;
      storedStats.set(playerId, stats);
      setStored({ stats, at: Date.now() });
    },
    [playerId],
  );

  const fetchAgain = useCallback(() => {
    fetchedAt.current = performance.now();
    refetch().then(
      (answer) => answer.data && update(answer.data.myStats),
      // An effect already logs `error`.
      () => undefined,
    );
  }, [refetch, update]);

  const answered = data?.myStats;
  useEffect(() => {
    if (answered) update(answered);
  }, [answered, update]);

  useEffect(() => {
    if (error) console.warn(messages.stats.failed, error);
  }, [error]);

  const [timedOut, setTimedOut] = useState(false);
  useEffect(() => {
    const limit = setTimeout(() => setTimedOut(true), LOADING_LIMIT_MS);
    return () => clearTimeout(limit);
  }, []);

  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const refetchSoon = useCallback(() => {
    timers.current.forEach(clearTimeout);
    timers.current = REFETCH_AFTER_SAVE_MS.map((delay) => setTimeout(fetchAgain, delay));
  }, [fetchAgain]);

  useEffect(() => {
    unmounted.current = false;
    fetchedAt.current = performance.now();
    return () => {
      unmounted.current = true;
      timers.current.forEach(clearTimeout);
    };
  }, []);

  const failed = Boolean(error);
  const retryIfFailed = useCallback(() => void (failed && fetchAgain()), [failed, fetchAgain]);

  useEffect(() => {
    const onVisible = () => {
      if (!document.hidden && performance.now() - fetchedAt.current >= FRESH_MS) fetchAgain();
    };
    window.addEventListener('online', retryIfFailed);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      window.removeEventListener('online', retryIfFailed);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [retryIfFailed, fetchAgain]);

  const stats = answered ?? stored?.stats ?? null;
  useEffect(() => {
    // Another tab has received newer stats.
    const onStorage = (event: StorageEvent) => {
      // Not from the storage: this tab may have stored an older answer since.
      const other = storedStats.fromEvent(playerId, event);
      if (!other || (stats && gamesIn(other.stats) <= gamesIn(stats))) return;
      const myStats = { __typename: 'PlayerStats' as const, playerId, ...other.stats };
      cache.writeQuery({ query: MyStatsDocument, data: { myStats } });
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [cache, playerId, stats]);

  return {
    stats,
    asOf: answered && !error ? null : (stored?.at ?? null),
    loading: loading && !data && !timedOut,
    update,
    refetchSoon,
    retryIfFailed,
  };
}
