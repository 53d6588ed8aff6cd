import { useEffect } from 'react';
import { storedStats } from '../storedStats.js';
import type { StoredStats } from '../storedStats.js';
import { listen } from '../ui/listen.js';

/** Takes newer stats that another tab has received. */
export function useOtherTabs(playerId: string, takeNewer: (other: StoredStats | null) => void): void {
  useEffect(
    // Not from the storage: this tab may have stored an older answer since.
    () => listen(window, 'storage', (event) => takeNewer(storedStats.fromEvent(playerId, event))),
    [playerId, takeNewer],
  );
}
