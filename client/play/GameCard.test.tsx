import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SQUARES } from '../../game/board.js';
import { replay } from '../../game/replay.js';
import type { Result } from '../../game/rules.js';
import '../testing/browser.js';
import { aFakeServer, aRefusal, graphqlError, myProgress, SignedIn } from '../testing/server.js';
import { GameCard } from './GameCard.js';
import { useDelivery } from './delivery.js';
import { render } from '../testing/render.js';

const server = aFakeServer();

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const user = userEvent.setup({ advanceTimers: (milliseconds) => jest.advanceTimersByTime(milliseconds) });

function Game({ ended = false }: { ended?: boolean }) {
  const ignore = () => undefined;
  const callbacks = { onBonus: ignore, onGameOnBoard: ignore, onNewGame: ignore, onSignInAgain: ignore };
  return <GameCard playerId="p-ada" deliveries={useDelivery('p-ada')} ended={ended} {...callbacks} />;
}

async function openGame() {
  const page = render(<Game />, { wrapper: SignedIn });
  await pass(0);
  return page;
}

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const squareAt = (square: number) => screen.getAllByRole('gridcell')[square] as HTMLElement;
const marks = (mark: 'X' | 'O') => screen.queryAllByRole('gridcell', { name: new RegExp(`, ${mark}$`) }).length;
const click = (square: number) => user.click(squareAt(square));

/** Finds the squares after these that end the game with this result. */
function squaresFor(result: Result, squares: number[] = []): number[] | undefined {
  const played = replay({ difficulty: 'medium', seed: server.seed, squares });
  if (played.ok) return played.game.result === result ? squares : undefined;
  if (played.reason !== 'unfinished') return undefined;
  return SQUARES.map((next) => squaresFor(result, [...squares, next])).find((found) => found !== undefined);
}

/** Plays the game to the end. */
async function playOut(result: Result): Promise<void> {
  for (const square of squaresFor(result)!) {
    await click(square);
    await pass(500);
  }
}

it('counts two clicks before a render as one', async () => {
  await openGame();
  act(() => {
    squareAt(0).click();
    squareAt(1).click();
  });
  expect(marks('X')).toBe(1);
});

it('has the next ticket before New Game, and reuses the ticket of an unplayed game', async () => {
  await openGame();
  const fetched = server.called('StartGame');
  expect(fetched).toBe(4);
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  await pass(0);
  expect(server.called('StartGame')).toBe(fetched);
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
  expect(screen.getByText(/didn't count: this server doesn't know it/)).toBeVisible();
  expect(Object.keys(localStorage).filter((key) => key.includes('.outbox.'))).toEqual([]);
  jest.mocked(console.warn).mockClear();
});

it('shows the practice notice below a notice that is still open', async () => {
  server.handlers.FinishGame = () => ({ data: { finishGame: aRefusal('ticket_expired') } });
  await openGame();
  server.handlers.StartGame = () => graphqlError('INTERNAL_SERVER_ERROR');
  for (let games = 0; games < 2; games++) {
    await playOut('win');
    await user.click(screen.getByRole('button', { name: 'New Game' }));
    await pass(0);
  }
  expect(screen.getByText("You're offline. This game won't count.")).toBeVisible();
  expect(screen.getByText(/didn't count/)).toBeVisible();
  jest.mocked(console.warn).mockClear();
});

const notice = () => screen.getByRole('button', { name: 'sign in again' }).closest('p')?.textContent;

it('after the end of the session does not mention saving when all is saved', async () => {
  const { rerender } = await openGame();
  await playOut('draw');
  rerender(<Game ended />);
  expect(notice()).toBe("You've been signed out. Games don't count until you sign in again.");
});

describe('The note on progress', () => {
  const reach = (reached: object, rank?: number) => {
    server.handlers.MyProgress = () => myProgress(reached, rank);
  };
  const notice = () => document.querySelector('.game-notice')?.textContent;

  it.each([
    [0, 0, undefined, undefined],
    [3, 9, 'false', String(3 / 9)],
    [9, 9, 'true', '1'],
  ])('shows a run of %i draws and a best of %i while Hard is selected', async (run, most, best, share) => {
    reach({ hardDrawsInARow: run, bestHardDrawsInARow: most });
    await openGame();
    expect(notice()).toBe('');
    await user.click(screen.getByRole('radio', { name: 'Hard' }));
    await pass(100);
    expect(notice()).toBe(most ? `Draw run ${run} · best ${most}` : '');
    const meter = document.querySelector<HTMLElement>('.draw-run');
    expect([meter?.dataset.best, meter?.style.getPropertyValue('--share')]).toEqual([best, share]);
    await user.click(screen.getByRole('radio', { name: 'Easy' }));
    await pass(100);
    expect(notice()).toBe('');
  });

  it.each([
    [{ badges: ['first_medium_win'] }, 7, '🏅 New badge: First win on Medium'],
    [{ badges: ['first_easy_win', 'first_medium_win'] }, 7, '🏅 New badges: First win on Easy, First win on Medium'],
    [{}, 3, '📈 Up to 3rd on the leaderboard'],
  ])('celebrates %j and place %i once: %s', async (reached, rank, said) => {
    reach({}, 7);
    await openGame();
    reach(reached, rank);
    await playOut('win');
    await pass(0);
    expect(notice()).toBe(said);
    await user.click(screen.getByRole('button', { name: 'New Game' }));
    expect(notice()).toBe('');
    await playOut('win');
    await pass(0);
    expect(notice()).toBe('');
  });

  it('celebrates nothing that was reached before, and no fall', async () => {
    reach({ badges: ['first_medium_win'], bestHardDrawsInARow: 5 }, 3);
    await openGame();
    reach({ badges: ['first_medium_win'], bestHardDrawsInARow: 5 }, 4);
    await playOut('win');
    await pass(0);
    expect(notice()).toBe('');
  });
});

const HOURS = 3_600_000;
const PRACTICE = /^That's 50 games today. Points are back at \d\d:\d\d/;
const inHours = (hours: number) => new Date(Date.now() + hours * HOURS).toISOString();

describe("When the day's limit is reached", () => {
  beforeEach(() => void (server.gamesPerDay = 50));

  it('a page that opens without a network knows it, until the limit ends', async () => {
    const limit = { countsFrom: new Date(Date.now() + 60_000).toISOString(), gamesPerDay: 50 };
    localStorage.setItem('tic-tac-toe.ticket.p-ada.limit', JSON.stringify(limit));
    server.handlers.StartGame = () => graphqlError('INTERNAL_SERVER_ERROR');
    await openGame();
    expect(screen.getByText(PRACTICE)).toBeVisible();
    await pass(60_000);
    expect(screen.queryByText(PRACTICE)).toBeNull();
  });

  it("a game with an older ticket becomes practice before the bot's first move", async () => {
    await openGame();
    server.countsFrom = inHours(0.5);
    await click(4);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(500);
    expect(screen.getByText(PRACTICE)).toBeVisible();
  });

  it('a game that the server takes no more today says when it counts, and is sent again then', async () => {
    await openGame();
    const count = server.handlers.FinishGame!;
    const refusal = aRefusal('too_many_games', { countsFrom: inHours(0.5), gamesPerDay: 50 });
    server.handlers.FinishGame = () => ({ data: { finishGame: refusal } });
    await playOut('win');
    const kept = /^That's 50 games today. This one counts from \d\d:\d\d.$/;
    expect(screen.getByText(kept)).toBeVisible();
    server.handlers.FinishGame = count;
    await pass(0.5 * HOURS);
    expect(server.called('FinishGame')).toBe(2);
    expect(screen.queryByText(kept)).toBeNull();
  });
});
