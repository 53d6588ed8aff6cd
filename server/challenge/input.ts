import { z } from 'zod';
import { SQUARES } from '../../game/board.js';
import { CHALLENGE_GAMES, MOST_MOVES } from '../../game/challenge.js';
import { isUuid } from '../base/uuid.js';

const between = (name: string, first: number, last: number) => {
  const message = { error: `${name} must be a whole number from ${first} to ${last}` };
  return z.int(message).min(first, message).max(last, message);
};

const DAY = { error: 'day must be a UTC day such as 2026-11-22' };
/** The players in one answer. */
export const MAX_ENTRIES = 100;

/** PostgreSQL knows no year 0. */
export const day = z.iso.date({ ...DAY, abort: true }).refine((value) => value.startsWith('2'), DAY);

export const start = z.object({ day, game: between('game', 1, CHALLENGE_GAMES) });

export const move = start.extend({
  move: between('move', 1, MOST_MOVES),
  square: between('square', 0, SQUARES.length - 1),
});

export const entries = z.object({
  limit: between('limit', 1, MAX_ENTRIES),
  after: z.string().refine(isUuid, { error: 'after must be the id of a player' }).optional(),
});
