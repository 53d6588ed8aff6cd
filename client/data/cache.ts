import { InMemoryCache, type Reference } from '@apollo/client';

/** All rules of the cache, which belongs to one player. */
export function createCache(playerId: string): InMemoryCache {
  return new InMemoryCache({
    typePolicies: {
      PlayerStats: { keyFields: ['playerId'] },
      // Neither may be shared between answers: entries are snapshots, and each ticket is used once.
      LeaderboardEntry: { keyFields: false },
      Ticket: { keyFields: false },
      Rival: { keyFields: ['playerId'] },
      // Two queries ask for different fields of each, and neither answer takes the other's away.
      Achievements: { keyFields: false, merge: true },
      Challenge: { keyFields: false, merge: true },
      Standing: { keyFields: false, merge: true },
      Query: {
        fields: {
          // A new list replaces the old one.
          mySessions: { merge: false },
          myIdentities: { merge: false },
          myTokens: { merge: false },
          // Also before the first answer, so that the stats below can be read.
          me: (known: Reference | undefined) => known ?? { __typename: 'Me' },
        },
      },
      Me: {
        // The one of this cache.
        keyFields: [],
        fields: {
          rivals: { merge: false },
          // The answer to finishGame holds the same stats, so the panel works even when its own query has failed.
          stats: (known: Reference | undefined, { toReference }) =>
            known ?? toReference({ __typename: 'PlayerStats', playerId }),
        },
      },
    },
  });
}
