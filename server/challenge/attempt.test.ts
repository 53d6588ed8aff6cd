import { describe, expect, test } from '@jest/globals';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import { squaresFor } from '../../test/builders/finished-game.js';
import { type Attempt, type BotAnswer, playSquare } from './attempt.js';

const SEED = '000102030405060708090a0b0c0d0e0f';

const attempt = (games: readonly string[]): Attempt => ({
  playerId: 'ada',
  day: '2026-11-22',
  games: [...games],
  startedAt: games.map(() => new Date(0)),
  finished: games.length - 1,
  wins: 0,
  draws: 0,
  closed: false,
  counted: 0,
  totalMoves: 25,
});

/** Plays a started game to its end. */
function playOut(
  from: Attempt,
  game: number,
  result: 'win' | 'lose' | 'draw',
): { attempt: Attempt; answer: BotAnswer } {
  const squares = squaresFor({ difficulty: CHALLENGE_DIFFICULTIES[game - 1]!, seed: SEED, result });
  let last: { attempt: Attempt; answer: BotAnswer } | undefined;
  for (const [at, square] of squares.entries()) {
    const played = playSquare(last?.attempt ?? from, { game, move: at + 1, square }, SEED);
    if (played.status !== 'played') throw new Error(played.status);
    last = played;
  }
  return last!;
}

test('a move is stored with the answer of the bot', () => {
  const played = playSquare(attempt(['']), { game: 1, move: 1, square: 4 }, SEED);
  if (played.status !== 'played') throw new Error(played.status);
  expect(played.answer).toEqual({ botSquare: expect.any(Number), result: null });
  expect(played.attempt.games).toEqual([`4${played.answer.botSquare}`]);
  expect(played.attempt.finished).toBe(0);
});

test('a repeated move gives the same answer, also after later moves', () => {
  const first = playSquare(attempt(['']), { game: 1, move: 1, square: 4 }, SEED);
  const { attempt: over } = playOut(attempt(['']), 1, 'win');
  if (first.status !== 'played') throw new Error(first.status);
  expect(playSquare(first.attempt, { game: 1, move: 1, square: 4 }, SEED)).toEqual({
    status: 'repeated',
    answer: first.answer,
  });
  const lastMove = Math.ceil(over.games[0]!.length / 2);
  const square = Number(over.games[0]!.at(2 * (lastMove - 1)));
  expect(playSquare(over, { game: 1, move: lastMove, square }, SEED)).toEqual({
    status: 'repeated',
    answer: { botSquare: null, result: 'win' },
  });
});

describe('sums', () => {
  test.each([
    ['win', { finished: 1, wins: 1, draws: 0 }],
    ['lose', { finished: 1, wins: 0, draws: 0 }],
  ] as const)('a %s', (result, sums) => {
    expect(playOut(attempt(['']), 1, result).attempt).toMatchObject({ ...sums, closed: false });
  });

  test('a draw of the fifth game closes the attempt', () => {
    const fifth = attempt(['04', '04', '04', '04', '']);
    expect(playOut(fifth, 5, 'draw').attempt).toMatchObject({ finished: 5, draws: 1, closed: true });
  });
});

test.each([
  ['another square for a move that was played', ['40'], { game: 1, move: 1, square: 1 }, 'other_square_played'],
  ['a game that was not started', ['40'], { game: 2, move: 1, square: 1 }, 'game_not_started'],
  ['a taken square', ['40'], { game: 1, move: 2, square: 0 }, 'illegal_move'],
  ['a move too early', ['40'], { game: 1, move: 3, square: 1 }, 'move_out_of_order'],
  ['a move after the end', ['03142'], { game: 1, move: 4, square: 8 }, 'game_over'],
] as const)('refuses %s', (_what, games, move, reason) => {
  expect(playSquare(attempt(games), move, SEED)).toEqual({ status: 'refused', reason });
});
