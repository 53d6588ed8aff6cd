import { useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { noStats } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { MyStatsDocument } from '../graphql/generated.js';
import { texts } from '../texts/game.js';

/** The game's own look at what became of it, and the stats'. */
const REFETCH_AFTER_SAVE_MS = [300, 500];
/** Longer than this nobody should wait for numbers: the game is shown and they come when they come. */
const LOADING_LIMIT_MS = 3000;

interface PlayerStats {
  readonly stats: Stats;
  /** Nothing is known yet. A failed fetch counts as known: the stats are zero until the next game. */
  readonly loading: boolean;
  /** To be called when a game was saved. */
  readonly refetchSoon: () => void;
  /** To be called when another game starts: a fetch that failed is tried again. */
  readonly retryIfFailed: () => void;
}

export function useStats(): PlayerStats {
  const { data, error, loading, refetch } = useQuery(MyStatsDocument);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);

  useEffect(() => {
    if (error) console.warn(texts.stats.failed, error);
  }, [error]);

  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const limit = setTimeout(() => setWaited(true), LOADING_LIMIT_MS);
    return () => clearTimeout(limit);
  }, []);

  const refetchSoon = useCallback(() => {
    timers.current.forEach(clearTimeout);
    // A failure is already logged from `error`.
    const fetchAgain = () => void refetch().catch(() => undefined);
    timers.current = REFETCH_AFTER_SAVE_MS.map((delay) => setTimeout(fetchAgain, delay));
  }, [refetch]);
  useEffect(() => () => timers.current.forEach(clearTimeout), []);

  const failed = Boolean(error);
  const retryIfFailed = useCallback(() => void (failed && refetch().catch(() => undefined)), [failed, refetch]);

  useEffect(() => {
    window.addEventListener('online', retryIfFailed);
    return () => window.removeEventListener('online', retryIfFailed);
  }, [retryIfFailed]);

  return { stats: data?.myStats ?? noStats, loading: loading && !data && !waited, refetchSoon, retryIfFailed };
}
