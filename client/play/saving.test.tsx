import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { noStats } from '../../game/scoring.js';
import { Game, isolateGames, openGame, pass, playOut, user } from '../testing/game.js';
import type { FakeServer } from '../testing/server.js';
import { graphqlError } from '../testing/server.js';

let server: FakeServer;
isolateGames((next) => (server = next));

it('drops a game that the server cannot read and sends the next one', async () => {
  for (const [finishedAt, gameId] of ['old', 'behind'].entries()) {
    const game = { gameId, ticket: gameId, squares: [0], difficulty: 'easy', result: 'win', finishedAt };
    localStorage.setItem(`tic-tac-toe.outbox.p-ada.${gameId}`, JSON.stringify(game));
  }
  const count = server.handlers.FinishGame!;
  server.handlers.FinishGame = (variables, headers) =>
    variables.ticket === 'old' ? graphqlError('BAD_USER_INPUT') : count(variables, headers);
  await openGame();
  expect(server.called('FinishGame')).toBe(2);
  expect(screen.getByText(/could not be counted: BAD_USER_INPUT/)).toBeVisible();
  expect(Object.keys(localStorage).filter((key) => key.includes('.outbox.'))).toEqual([]);
  jest.mocked(console.warn).mockClear();
});

it('shows the practice notice below a notice that is still open', async () => {
  server.handlers.FinishGame = () => ({
    data: {
      finishGame: {
        __typename: 'GameRefused',
        reason: 'ticket_expired',
        message: 'The ticket has expired.',
        countsFrom: null,
      },
    },
  });
  await openGame();
  server.handlers.StartGame = () => graphqlError('INTERNAL_SERVER_ERROR');
  for (let games = 0; games < 2; games++) {
    await playOut('win');
    await user.click(screen.getByRole('button', { name: 'New Game' }));
    await pass(0);
  }
  expect(screen.getByText(/^Practice game:/)).toBeVisible();
  expect(screen.getByText(/could not be counted/)).toBeVisible();
  jest.mocked(console.warn).mockClear();
});

describe('When the session has ended', () => {
  const notice = () => screen.getByRole('button', { name: 'sign in again' }).closest('p')?.textContent;

  it('does not mention saving when all is saved', async () => {
    const { rerender } = await openGame();
    await playOut('draw');
    rerender(<Game stats={noStats} ended />);
    expect(notice()).toBe('Your session has ended: sign in again to go on.');
  });
});
