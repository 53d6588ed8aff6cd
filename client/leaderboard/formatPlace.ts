import { messages } from '../messages/leaderboard.js';
import { formatNumber } from '../ui/formatNumber.js';

/** "#123", or "about #12,300" for a place that the server only estimates. */
export function formatPlace(rank: number, exact = true): string {
  return messages.rank(formatNumber(exact ? rank : +rank.toPrecision(3)), exact);
}
