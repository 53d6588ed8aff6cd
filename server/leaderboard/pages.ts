import { z } from 'zod';
import type { Entries, Entry } from './cached-entries.js';

/** The leaderboard is paged through its first places. */
export const PAGED_PLACES = 1_000;

const wrong = { error: 'cursor must be the one of a page before, as the server gave it' };

/** All that decides the place of an entry. So a page goes on at the same place while others enter. */
const place = z.tuple([z.int(), z.int(), z.int(), z.int(), z.uuid()]);
const isPlace = (value: unknown) => place.safeParse(value).success;
type Place = z.infer<typeof place>;

/** Where a page ends. Its form is nobody's business. */
export const cursor = z.string(wrong).max(200, wrong).transform(readPlace).pipe(z.custom<Place>(isPlace, wrong));

function readPlace(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

export const cursorOf = (entry: Entry) => Buffer.from(JSON.stringify(placeOf(entry))).toString('base64url');

const placeOf = ({ score, wins, losses, reachedAt, playerId }: Entry): Place => [
  score,
  wins,
  losses,
  reachedAt,
  playerId,
];

/** @returns the first of the entries that comes after the place of a cursor */
export function indexAfter(entries: Entries, after: Place): number {
  const index = entries.findIndex((entry) => isBefore(after, placeOf(entry)));
  return index < 0 ? entries.length : index;
}

/** The order of the leaderboard: score, wins, fewer losses, earlier time, id (order.ts). */
function isBefore(one: Place, other: Place): boolean {
  const column = one.findIndex((value, at) => value !== other[at]);
  if (column < 0) return false;
  const [first, second] = [one[column]!, other[column]!];
  return column < 2 ? first > second : first < second;
}
