import { useState, useSyncExternalStore } from 'react';
import { DayLimit } from './dayLimit.js';

/** Returns the day's limit and, when it is reached, the time from which games count again. */
export function useDayLimit(playerId: string): [DayLimit, number | null] {
  const [limit] = useState(() => new DayLimit(playerId));
  return [limit, useSyncExternalStore(limit.subscribe, limit.getCountsFrom)];
}
