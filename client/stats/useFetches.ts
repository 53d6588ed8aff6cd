import type { useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef } from 'react';
import type { Stats } from '../../game/scoring.js';
import type { MyStatsQuery } from '../graphql/generated.js';
import { listen } from '../ui/listen.js';

/** The specification asks for two fetches after a save: the game's and the stats'. */
const REFETCH_AFTER_SAVE_MS = [300, 500];
/** Prevents a fetch at every change between tabs. */
const FRESH_MS = 5000;

/**
 * Fetches the stats again: after a save, when the tab becomes visible, and, after a failure, when the network returns or a
 * game starts.
 */
export function useFetches(
  refetch: useQuery.Result<MyStatsQuery>['refetch'],
  update: (stats: Stats) => void,
  failed: boolean,
) {
  const fetchedAt = useRef(-Infinity);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);

  const fetchAgain = useCallback(() => {
    fetchedAt.current = performance.now();
    refetch().then(
      (answer) => answer.data && update(answer.data.me.stats),
      // An effect already logs `error`.
      () => undefined,
    );
  }, [refetch, update]);

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

  return { refetchSoon, retryIfFailed };
}
