import type { LeaderboardRowEntryFragment } from '../graphql/generated.js';
import { messages as game } from '../messages/game.js';
import { messages } from '../messages/leaderboard.js';
import { formatNumber } from '../ui/formatNumber.js';

/** Says how far a player on the list is behind the next place, or how far the first is ahead. Null when alone. */
export function distanceOf(playerId: string, entries: readonly LeaderboardRowEntryFragment[]): string | null {
  const own = entries.findIndex((entry) => entry.playerId === playerId);
  const other = entries[own === 0 ? 1 : own - 1];
  if (own < 0 || !other) return null;
  const points = Math.abs(other.score - entries[own]!.score);
  return own === 0 ? aheadOfSecond(points) : behind({ points, rank: own });
}

/** "#123", or "about #12,300" for a place that the server only estimates. */
export function formatPlace(rank: number, exact = true): string {
  return messages.rank(formatNumber(exact ? rank : +rank.toPrecision(3)), exact);
}

/** @param exact false where the server only estimates the rank */
export function behind({ points, rank }: { points: number; rank: number }, exact?: boolean): string {
  const place = formatPlace(rank, exact);
  return points === 0 ? messages.level(place) : messages.behind(countPoints(points), place);
}

function aheadOfSecond(points: number): string {
  const place = formatPlace(2);
  return points === 0 ? messages.level(place) : messages.ahead(countPoints(points), place);
}

function countPoints(points: number): string {
  return `${formatNumber(points)} ${game.history.points(points)}`;
}
