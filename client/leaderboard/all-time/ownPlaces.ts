import type { LeaderboardAroundQuery, LeaderboardRowEntryFragment } from '../../graphql/generated.js';

type Around = NonNullable<LeaderboardAroundQuery['me']['standing']>;

export const OWN_ROWS = 3;

/** The player with one neighbour on each side where there is one, without the players of the list. */
export function ownPlaces(
  playerId: string,
  entries: readonly LeaderboardRowEntryFragment[],
  { neighbours }: Around,
): Around['neighbours']['entries'] {
  const listed = new Set(entries.map((entry) => entry.playerId));
  const others = neighbours.entries.filter((entry) => !listed.has(entry.playerId));
  const own = others.findIndex((entry) => entry.playerId === playerId);
  const start = Math.max(0, Math.min(own - 1, others.length - OWN_ROWS));
  return others.slice(start, start + OWN_ROWS);
}
