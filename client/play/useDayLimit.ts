import { useState, useSyncExternalStore } from 'react';
import { DayLimit } from './dayLimit.js';

/** Whether today's games are used up, and from when they count again. */
export function useDayLimit(playerId: string): [DayLimit, number | null] {
  const [limit] = useState(() => new DayLimit(playerId));
  return [limit, useSyncExternalStore(limit.subscribe, limit.getCountsFrom)];
}
