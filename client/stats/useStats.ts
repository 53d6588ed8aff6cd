import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { gamesIn } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { MyStatsDocument } from '../graphql/generated.js';
import { keptStats } from '../keptStats.js';
import { texts } from '../texts/game.js';

/** The game's own look at what became of it, and the stats'. */
const REFETCH_AFTER_SAVE_MS = [300, 500];
/** Longer than this nobody should wait for numbers: the game is shown and they come when they come. */
const LOADING_LIMIT_MS = 3000;
/** Who goes to and fro between tabs need not cause a question each time. */
const GOOD_FOR_MS = 5000;

interface PlayerStats {
  /** The last that the server has said, here or at an earlier visit; null when that is not known. */
  readonly stats: Stats | null;
  /** The server does not answer now, and these are from then, by this computer's clock. Otherwise null. */
  readonly from: number | null;
  /** Nothing is known yet. A failed fetch counts as known: it is tried again with the next game. */
  readonly loading: boolean;
  /** To be called with what the server says about the stats elsewhere. */
  readonly take: (stats: Stats) => void;
  /** To be called when a game was saved. */
  readonly refetchSoon: () => void;
  /** To be called when another game starts: a fetch that failed is tried again. */
  readonly retryIfFailed: () => void;
}

export function useStats(playerId: string): PlayerStats {
  const { cache } = useApolloClient();
  const { data, error, loading, refetch } = useQuery(MyStatsDocument);
  const [kept, setKept] = useState(() => keptStats.get(playerId));
  const askedAt = useRef(-Infinity);
  const left = useRef(false);

  const take = useCallback(
    (stats: Stats) => {
      // An answer that comes after the player has signed out must not be kept.
      if (left.current) return;
      keptStats.keep(playerId, stats);
      setKept({ stats, at: Date.now() });
    },
    [playerId],
  );

  const fetchAgain = useCallback(() => {
    askedAt.current = performance.now();
    refetch().then(
      (answer) => answer.data && take(answer.data.myStats),
      // A failure is already logged from `error`.
      () => undefined,
    );
  }, [refetch, take]);

  const told = data?.myStats;
  useEffect(() => {
    if (told) take(told);
  }, [told, take]);

  useEffect(() => {
    if (error) console.warn(texts.stats.failed, error);
  }, [error]);

  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const limit = setTimeout(() => setWaited(true), LOADING_LIMIT_MS);
    return () => clearTimeout(limit);
  }, []);

  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const refetchSoon = useCallback(() => {
    timers.current.forEach(clearTimeout);
    timers.current = REFETCH_AFTER_SAVE_MS.map((delay) => setTimeout(fetchAgain, delay));
  }, [fetchAgain]);

  useEffect(() => {
    left.current = false;
    askedAt.current = performance.now();
    return () => {
      left.current = true;
      timers.current.forEach(clearTimeout);
    };
  }, []);

  const failed = Boolean(error);
  const retryIfFailed = useCallback(() => void (failed && fetchAgain()), [failed, fetchAgain]);

  useEffect(() => {
    const onVisible = () => {
      if (!document.hidden && performance.now() - askedAt.current >= GOOD_FOR_MS) fetchAgain();
    };
    window.addEventListener('online', retryIfFailed);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      window.removeEventListener('online', retryIfFailed);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [retryIfFailed, fetchAgain]);

  const stats = told ?? kept?.stats ?? null;
  useEffect(() => {
    // Another tab has heard from the server.
    const onStorage = ({ key }: StorageEvent) => {
      const heard = keptStats.holds(playerId, key) && keptStats.get(playerId);
      if (!heard || (stats && gamesIn(heard.stats) <= gamesIn(stats))) return;
      const myStats = { __typename: 'PlayerStats' as const, playerId, ...heard.stats };
      cache.writeQuery({ query: MyStatsDocument, data: { myStats } });
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [cache, playerId, stats]);

  return {
    stats,
    from: told && !error ? null : (kept?.at ?? null),
    loading: loading && !data && !waited,
    take,
    refetchSoon,
    retryIfFailed,
  };
}
