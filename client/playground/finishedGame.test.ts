import { expect, it } from '@jest/globals';
import { DIFFICULTIES } from '../../game/bot.js';
import { replay } from '../../game/replay.js';
import { playToTheEnd, readTicket } from './finishedGame.js';

const SEEDS = Array.from({ length: 50 }, (_, at) => at.toString(16).padStart(32, '0'));

it.each(DIFFICULTIES)('plays games against the %s bot that replay to a draw, with the right duration', (difficulty) => {
  for (const seed of SEEDS) {
    const { squares, result, duration } = playToTheEnd({ seed, difficulty });
    expect(replay({ difficulty, seed, squares })).toMatchObject({ ok: true, game: { result: 'draw', botMoves: 4 } });
    expect({ result, duration }).toEqual({ result: 'draw', duration: 2_000 });
  }
});

it('reads a ticket from complete answers only', () => {
  const startGame = { token: 'token', seed: 'seed', difficulty: 'easy', gameId: 'id' };
  expect(readTicket({ data: { startGame } }, 7)).toEqual({
    token: 'token',
    seed: 'seed',
    difficulty: 'easy',
    receivedAt: 7,
  });
  for (const answer of [
    {},
    { data: null },
    { data: { me: {} } },
    { data: { startGame: null } },
    { data: { startGame: { ...startGame, seed: undefined } } },
    { data: { startGame: { ...startGame, difficulty: 'impossible' } } },
  ]) {
    expect(readTicket(answer, 7)).toBeNull();
  }
});
