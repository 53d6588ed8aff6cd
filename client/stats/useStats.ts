import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { gamesIn } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { MyStatsDocument } from '../graphql/generated.js';
import { storedStats } from '../storedStats.js';
import { messages } from '../messages/game.js';

/** The game's own look at what became of it, and the stats'. */
const REFETCH_AFTER_SAVE_MS = [300, 500];
/** Longer than this nobody should wait for numbers: the game is shown and they come when they come. */
const LOADING_LIMIT_MS = 3000;
/** Who goes to and fro between tabs need not cause a question each time. */
const FRESH_MS = 5000;

interface PlayerStats {
  /** The last that the server has said, here or at an earlier visit; null when that is not known. */
  readonly stats: Stats | null;
  /** The server does not answer now, and these are from then, by this computer's clock. Otherwise null. */
  readonly asOf: number | null;
  /** Nothing is known yet. A failed fetch counts as known: it is tried again with the next game. */
  readonly loading: boolean;
  /** To be called with what the server says about the stats elsewhere. */
  readonly update: (stats: Stats) => void;
  /** To be called when a game was saved. */
  readonly refetchSoon: () => void;
  /** To be called when another game starts: a fetch that failed is tried again. */
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
      // An answer that comes after the player has signed out must not be stored.
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
      // A failure is already logged from `error`.
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
    // Another tab has an answer from the server.
    const onStorage = ({ key }: StorageEvent) => {
      const other = storedStats.isKeyOf(playerId, key) && storedStats.get(playerId);
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
