import { z } from 'zod';
import { jsonCursor, jsonCursorOf } from '../web/json-cursor.js';
import type { Entries, Entry } from './cached-entries.js';

/** The leaderboard is paged through its first places. */
export const PAGED_PLACES = 1_000;

/** All that decides the place of an entry. */
const place = z.tuple([z.int(), z.int(), z.int(), z.int(), z.uuid()]);
type Place = z.infer<typeof place>;

export const cursor = jsonCursor(place, 'cursor must be the one of a page before, as the server gave it');

export const cursorOf = (entry: Entry) => jsonCursorOf(placeOf(entry));

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
