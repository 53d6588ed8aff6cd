import { z } from 'zod';
import { DIFFICULTIES } from '../../../game/bot.js';
import { RESULTS } from '../../../game/rules.js';
import { time } from '../../web/rest/operation.js';
import type { GameType } from '../game.type.js';

export const difficulty = z.enum(DIFFICULTIES, { error: `difficulty must be one of: ${DIFFICULTIES.join(', ')}` });
export const result = z.enum(RESULTS, { error: `result must be one of: ${RESULTS.join(', ')}` });
export const square = z.int().min(0).max(8);

/** For the docs. */
export const GAME_ID = 'Yvl0sUWARoCf8eCnhsplD85KTCVX80eekFvGpt67MC0';

/** A counted game in the words of REST. */
export const restGame = z
  .object({
    id: z.string(),
    difficulty,
    result,
    source: z.enum(['verified', 'reported']),
    points: z.int().describe('The change of the score.'),
    bonus: z.boolean().describe('Whether it was the third win in a row.'),
    seed: z.string().nullable().describe('Of the bot’s random choices. Null for a reported result.'),
    moves: z.array(square).nullable().describe('The squares of both sides in order, X first.'),
    finished_at: time,
    by_program: z.boolean().describe('Whether a personal token has sent it.'),
  })
  .meta({
    id: 'Game',
    examples: [
      {
        ...{ id: GAME_ID, difficulty: 'easy', result: 'win', source: 'verified', points: 1, bonus: false },
        ...{ seed: '9f86d081884c7d659a2feaa0c55ad015', moves: [4, 1, 0, 8, 3, 2, 5] },
        ...{ finished_at: '2026-11-24T12:00:00.000Z', by_program: true },
      },
    ],
  });
export type RestGame = z.infer<typeof restGame>;

export function toRestGame({ finishedAt, byProgram, moves, ...game }: GameType): RestGame {
  const { id, difficulty, result, source, points, bonus, seed } = game;
  const squares = moves?.map(({ square }) => square) ?? null;
  return {
    ...{ id, difficulty, result, source, points, bonus, seed },
    ...{ moves: squares, finished_at: finishedAt, by_program: byProgram },
  };
}
