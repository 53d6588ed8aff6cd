import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { gamesIn } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { MyStatsDocument } from '../graphql/generated.js';
import { storedStats } from '../storedStats.js';
import { listen } from '../ui/listen.js';

/** Takes newer stats that another tab has received. */
export function useOtherTabs(playerId: string, stats: Stats | null): void {
  const { cache } = useApolloClient();
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      // Not from the storage: this tab may have stored an older answer since.
      const other = storedStats.fromEvent(playerId, event);
      if (!other || (stats && gamesIn(other.stats) <= gamesIn(stats))) return;
      const myStats = { __typename: 'PlayerStats' as const, playerId, ...other.stats };
      cache.writeQuery({ query: MyStatsDocument, data: { myStats } });
    };
    return listen(window, 'storage', onStorage);
  }, [cache, playerId, stats]);
}
