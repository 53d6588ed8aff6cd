import { describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { noStats } from '../../game/scoring.js';
import {
  click,
  Game,
  isolateGames,
  marks,
  onGameOnBoard,
  onSignInAgain,
  openGame,
  pass,
  playOut,
  squaresFor,
  user,
} from '../testing/game.js';
import type { FakeServer } from '../testing/server.js';
import { graphqlError } from '../testing/server.js';

let server: FakeServer;
isolateGames((next) => (server = next));

it.each(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'])(
  'shows the result after a failed save (%s), and keeps the game for later',
  async (code) => {
    server.handlers.FinishGame = () => graphqlError(code);
    await openGame();
    await playOut('win');
    expect(screen.getByText('🎊 YOU WIN! +1 Point')).toBeVisible();
    expect(screen.getByText(/will be saved later/)).toBeVisible();
    expect(Object.keys(localStorage)).toContain('tic-tac-toe.outbox.p-ada.game-1');
    expect(console.warn).toHaveBeenCalledWith(code);
    jest.mocked(console.warn).mockClear();
  },
);

it('sends a pending game at the next visit and when the network returns', async () => {
  const game = { gameId: 'old', ticket: 'old-ticket', squares: [0], difficulty: 'easy', result: 'win', finishedAt: 1 };
  localStorage.setItem('tic-tac-toe.outbox.p-ada.old', JSON.stringify(game));
  await openGame();
  expect(server.calls.find(({ operation }) => operation === 'FinishGame')?.variables.ticket).toBe('old-ticket');
  localStorage.setItem('tic-tac-toe.outbox.p-ada.old', JSON.stringify({ ...game, ticket: 'again' }));
  act(() => void window.dispatchEvent(new Event('online')));
  await pass(0);
  expect(server.calls.findLast(({ operation }) => operation === 'FinishGame')?.variables.ticket).toBe('again');
  expect(Object.keys(localStorage).filter((key) => key.includes('.outbox.'))).toEqual([]);
});

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

it('drops a game that cannot count, with a notice that can be dismissed', async () => {
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
  await playOut('win');
  expect(screen.getByText(/could not be counted: The ticket has expired\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/could not be counted/)).toBeNull();
  expect(screen.getByRole('grid')).toContainElement(document.activeElement as HTMLElement);
  jest.mocked(console.warn).mockClear();
});

it('adds a finished game to the stats at once, and removes it when the server refuses it', async () => {
  let answer: (body: object) => void = () => undefined;
  server.handlers.FinishGame = () => new Promise((resolve) => (answer = resolve));
  await openGame();
  await playOut('win');
  expect(screen.getByText('score 1')).toBeVisible();
  answer({ data: { finishGame: { __typename: 'GameRefused', reason: 'illegal_move', message: 'No.' } } });
  await pass(0);
  expect(screen.getByText('score 0')).toBeVisible();
  jest.mocked(console.warn).mockClear();
});

describe('When the session has ended', () => {
  const notice = () => screen.getByRole('button', { name: 'sign in again' }).closest('p')?.textContent;

  it('tells the player what to do, during and after the game', async () => {
    server.handlers.FinishGame = () => graphqlError('UNAUTHENTICATED');
    const { rerender } = await openGame();
    const squares = squaresFor('win');
    await click(squares[0]!);
    await pass(500);
    expect(onGameOnBoard).toHaveBeenLastCalledWith(true);
    rerender(<Game stats={noStats} ended />);
    expect(notice()).toBe('Your session has ended: finish this game, then sign in again to save it.');
    for (const square of squares.slice(1)) {
      await click(square);
      await pass(500);
    }
    expect(notice()).toBe('Your session has ended: sign in again to save it.');
    await user.click(screen.getByRole('button', { name: 'sign in again' }));
    expect(onSignInAgain).toHaveBeenCalledTimes(1);
    await user.click(screen.getByRole('button', { name: 'New Game' }));
    expect(onSignInAgain).toHaveBeenCalledTimes(2);
    expect(marks('X')).toBeGreaterThan(0);
    jest.mocked(console.warn).mockClear();
  });

  it('does not mention saving when all is saved', async () => {
    const { rerender } = await openGame();
    await playOut('draw');
    rerender(<Game stats={noStats} ended />);
    expect(notice()).toBe('Your session has ended: sign in again to go on.');
  });
});
