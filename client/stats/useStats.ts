import { useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useState } from 'react';
import type { Stats } from '../../game/scoring.js';
import { MyStatsDocument } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { storedStats } from '../storedStats.js';
import { useFetches } from './useFetches.js';
import { useOtherTabs } from './useOtherTabs.js';
import { useStoredStats } from './useStoredStats.js';

/** After this time the game appears without the stats. */
const LOADING_LIMIT_MS = 3000;

interface PlayerStats {
  /** The last stats from the server, in this visit or an earlier one; null when unknown. */
  readonly stats: Stats | null;
  /** When the server sent the stats, by this computer's clock, if it does not answer now. Otherwise null. */
  readonly asOf: number | null;
  /** True until the first answer, failure or timeout. */
  readonly loading: boolean;
  /** Takes stats from other answers of the server. */
  readonly update: (stats: Stats) => void;
  /** Takes the stats that another tab has stored, before their event arrives. */
  readonly takeStored: () => void;
  /** Call it after a game was saved. */
  readonly refetchSoon: () => void;
  /** Call it when a game starts: repeats a failed fetch. */
  readonly retryIfFailed: () => void;
}

export function useStats(playerId: string): PlayerStats {
  const { data, error, loading, refetch } = useQuery(MyStatsDocument);
  const [stored, update, takeNewer] = useStoredStats(playerId);

  const answered = data?.me.stats;
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

  const fetches = useFetches(refetch, update, Boolean(error));
  useOtherTabs(playerId, takeNewer);
  const takeStored = useCallback(() => takeNewer(storedStats.get(playerId)), [playerId, takeNewer]);

  return {
    // Not first `answered`: Apollo does not change it while a request is on its way.
    stats: stored?.stats ?? answered ?? null,
    asOf: answered && !error ? null : (stored?.at ?? null),
    loading: loading && !data && !timedOut,
    update,
    takeStored,
    ...fetches,
  };
}
