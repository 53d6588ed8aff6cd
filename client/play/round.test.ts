import { beforeEach, describe, expect, it } from '@jest/globals';
import { noStats } from '../../game/scoring.js';
import { aTicket } from '../testing/game.js';
import { markSquare, playBotMove, restoredRound, startRound, storeRound, type Round } from './round.js';

/** Always marks the first free square, and plays games until one is won. */
function aWonRound(from: () => Round, winStreak: number): Round {
  for (;;) {
    let round = from();
    while (round.game.turn) {
      const free = round.game.board.indexOf(null) as Parameters<typeof markSquare>[1];
      round = playBotMove(markSquare(round, free, { ...noStats, winStreak }));
    }
    if (round.game.outcome?.result === 'win') return round;
  }
}

it.each([
  ['celebrates the third win in a row', aTicket(), 2, true],
  ['does not celebrate the second win', aTicket(), 1, false],
  ['does not celebrate wins in practice games', null, 2, false],
])('%s', (_, ticket, winStreak, bonus) => {
  let seed = 0;
  const start = () => startRound('easy', ticket && { ...ticket, seed: String(seed++) });
  expect(aWonRound(start, winStreak).bonus).toBe(bonus);
});

describe('The stored round', () => {
  const KEY = 'tic-tac-toe.round.p-ada';
  const ticket = aTicket();

  /** A round in which each side has moved. */
  const aRound = (): Round => playBotMove(markSquare(startRound('hard', ticket), 0, noStats));

  function change(over: object): void {
    sessionStorage.setItem(KEY, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(KEY)!), ...over }));
  }

  beforeEach(() => sessionStorage.clear());

  it('continues a practice game against the same bot', () => {
    const round = playBotMove(markSquare(startRound('medium', null, 42), 4, noStats));
    storeRound('p-ada', round);
    expect(restoredRound('p-ada')).toEqual(round);
  });

  it('restores the ticket of a game that has not begun', () => {
    const round = startRound('hard', ticket);
    storeRound('p-ada', round);
    expect(restoredRound('p-ada')).toMatchObject({ ticket, squares: [], game: round.game });
  });

  it('restores neither an empty board without a ticket nor a finished game', () => {
    let round = aRound();
    while (round.game.turn) {
      storeRound('p-ada', round);
      round = playBotMove(markSquare(round, round.game.board.indexOf(null) as 0, noStats));
    }
    for (const one of [round, startRound('hard', null)]) {
      storeRound('p-ada', one);
      expect(restoredRound('p-ada')).toBeNull();
      expect(sessionStorage).toHaveLength(0);
    }
  });

  it.each<[string, object]>([
    ['another version', { version: 2 }],
    ['another bot', { ticket: { ...ticket, seed: 'other' }, board: ['X', ...Array<null>(7).fill(null), 'O'] }],
    ['another difficulty', { difficulty: 'easy' }],
    ['an unknown difficulty', { difficulty: 'constructor', ticket: null }],
    ['an illegal move', { squares: [0, 0] }],
    ['no squares', { squares: null }],
    ['a ticket without a token', { ticket: { ...ticket, token: undefined } }],
    ['an expired ticket', { ticket: { ...ticket, expiresAt: new Date(Date.now() - 1).toISOString() } }],
  ])('drops a game with %s', (_, over) => {
    storeRound('p-ada', aRound());
    change(over);
    expect(restoredRound('p-ada')).toBeNull();
  });
});
