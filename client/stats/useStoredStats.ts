import { useCallback, useEffect, useRef, useState } from 'react';
import type { Stats } from '../../game/scoring.js';
import { storedStats } from '../storedStats.js';

/** The stats that this browser stores for the time without a network, and the function that replaces them. */
export function useStoredStats(playerId: string) {
  const [stored, setStored] = useState(() => storedStats.get(playerId));
  const unmounted = useRef(false);
  useEffect(() => {
    unmounted.current = false;
    return () => {
      unmounted.current = true;
    };
  }, []);

  const update = useCallback(
    (stats: Stats) => {
      // Do not store an answer that arrives after the sign-out.
      if (unmounted.current) return;
      storedStats.set(playerId, stats);
      setStored({ stats, at: Date.now() });
    },
    [playerId],
  );

  return [stored, update] as const;
}
