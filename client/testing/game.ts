import type { FinishedGame } from '../play/outbox.js';
import type { Ticket } from '../play/tickets.js';

/** A game that the page has finished and not sent yet. */
export const aFinishedGame = (gameId: string, finishedAt = 1): FinishedGame => ({
  gameId,
  ticket: `ticket of ${gameId}`,
  squares: [4, 0, 8],
  difficulty: 'easy',
  result: 'win',
  finishedAt,
});

/** A ticket that ends in an hour. */
export const aTicket = (over: Partial<Ticket> = {}): Ticket => ({
  gameId: 'g',
  difficulty: 'hard',
  seed: 'a seed',
  token: 't',
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  countsFrom: null,
  gamesPerDay: 100,
  ...over,
});
