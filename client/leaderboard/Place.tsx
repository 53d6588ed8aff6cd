import { formatPlace } from './formatPlace.js';
import { Medal } from './Medal.js';

/** A medal, or the number of a place. */
export function Place({ rank, exact }: { rank: number | null; exact?: boolean | undefined }) {
  if (rank === null) return '–';
  return rank <= 3 ? <Medal rank={rank as 1 | 2 | 3} /> : formatPlace(rank, exact);
}
