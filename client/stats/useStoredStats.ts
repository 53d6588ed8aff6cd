import { useCallback, useEffect, useRef, useState } from 'react';
import { gamesIn } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { storedStats } from '../storedStats.js';
import type { StoredStats } from '../storedStats.js';

/**
 * The last known stats, which this browser stores for the time without a network, and the functions that replace them: by an
 * answer to this tab, which can have fewer games because an operator can void some, or by more games of another tab.
 */
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

  const takeNewer = useCallback((other: StoredStats | null) => {
    setStored((known) => (other && !(known && gamesIn(other.stats) <= gamesIn(known.stats)) ? other : known));
  }, []);

  return [stored, update, takeNewer] as const;
}
