import { expect, it } from '@jest/globals';
import { noStats } from '../../game/scoring.js';
import { playBotMove, markSquare, startRound } from './round.js';
import type { Round } from './round.js';
import type { Ticket } from './tickets/ticket.js';

const ticket: Ticket = { gameId: 'g', difficulty: 'easy', seed: 's', token: 't', expiresAt: '2030-01-01T00:00:00Z' };

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
  ['celebrates the third win in a row', ticket, 2, true],
  ['does not celebrate the second win', ticket, 1, false],
  ['does not celebrate wins in practice games', null, 2, false],
])('%s', (_, ticket, winStreak, bonus) => {
  let seed = 0;
  const start = () => startRound('easy', ticket && { ...ticket, seed: String(seed++) });
  expect(aWonRound(start, winStreak).bonus).toBe(bonus);
});
