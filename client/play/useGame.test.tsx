import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { replay } from '../../game/replay.js';
import { noStats } from '../../game/scoring.js';
import { setServerTime } from '../ui/time/clock.js';
import type { Stats } from '../../game/scoring.js';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import '../testing/browser.js';
import { FakeServer, SignedIn, aCountedGame, forgetEverything, graphqlError } from '../testing/server.js';
import { GameCard } from './card/GameCard.js';
import { useDelivery } from './delivery/useDelivery.js';

let server: FakeServer;

beforeEach(() => {
  jest.useFakeTimers();
  forgetEverything();
  server = new FakeServer().install();
});
afterEach(() => void jest.useRealTimers());

const user = userEvent.setup({ advanceTimers: (milliseconds) => jest.advanceTimersByTime(milliseconds) });
const onSaved = jest.fn();
const onNewGame = jest.fn();
const onGameOnBoard = jest.fn();
const onSignInAgain = jest.fn();

function Game({ stats, ended = false }: { stats: Stats; ended?: boolean }) {
  const [now] = useState(stats);
  const deliveries = useDelivery('p-ada', now);
  const { onCounted, stats: shownStats } = deliveries;
  useEffect(() => onCounted(onSaved), [onCounted]);
  const rest = { playerId: 'p-ada', deliveries, ended, onGameOnBoard, onNewGame, onSignInAgain };
  return (
    <>
      <GameCard {...rest} />
      <p>score {shownStats.score}</p>
    </>
  );
}

async function open(winStreak = 0) {
  const page = render(<Game stats={{ ...noStats, winStreak }} />, { wrapper: SignedIn });
  await pass(0);
  return page;
}

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const squareAt = (square: number) => screen.getAllByRole('gridcell')[square] as HTMLElement;
const marks = (mark: 'X' | 'O') => screen.queryAllByRole('gridcell', { name: new RegExp(`, ${mark}$`) }).length;
const click = (square: number) => user.click(squareAt(square));
const announced = () => document.querySelector('[data-announcer]')?.textContent;

/** Finds the player's squares of a game against this seed's bot with this result. */
function squaresFor(result: Result, difficulty: Difficulty = 'medium', seed = 'seed'): number[] {
  const search = (squares: number[]): number[] | null => {
    const played = replay({ difficulty, seed, squares });
    if (played.ok) return played.game.result === result ? squares : null;
    if (played.reason !== 'unfinished') return null;
    for (let next = 0; next < 9; next++) {
      const found = squares.includes(next) ? null : search([...squares, next]);
      if (found) return found;
    }
    return null;
  };
  const found = search([]);
  if (!found) throw new Error(`No game against ${seed} ends in a ${result}`);
  return found;
}

async function playOut(result: Result): Promise<number[]> {
  const squares = squaresFor(result);
  for (const square of squares) {
    await click(square);
    await pass(500);
  }
  return squares;
}

it("lets the bot mark O half a second after the player's X", async () => {
  await open();
  expect(screen.getByText('Your turn (X)')).toBeVisible();
  await click(4);
  expect(squareAt(4)).toHaveAccessibleName('Centre, X');
  expect(announced()).toBe("You marked centre. Bot's turn (O)...");
  expect(screen.getByText("Bot's turn (O)...")).toBeVisible();
  await pass(499);
  expect(marks('O')).toBe(0);
  await pass(1);
  expect(marks('O')).toBe(1);
  expect(screen.getByText('Your turn (X)')).toBeVisible();
});

it("ignores clicks on a marked square and during the bot's turn", async () => {
  await open();
  await click(4);
  await click(4);
  await click(0);
  expect(marks('X')).toBe(1);
  await pass(500);
  await click(4);
  expect(marks('X')).toBe(1);
});

it('counts two clicks before a render as one', async () => {
  await open();
  act(() => {
    squareAt(0).click();
    squareAt(1).click();
  });
  expect(marks('X')).toBe(1);
});

it.each<[Result, string]>([
  ['win', '🎊 YOU WIN! +1 Point'],
  ['lose', '😢 BOT WINS! -1 Point'],
  ['draw', "🤝 IT'S A DRAW!"],
])("a %s shows its message, ends the game and sends the player's squares with the ticket", async (result, message) => {
  await open();
  const squares = await playOut(result);
  expect(screen.getByText(message)).toBeVisible();
  expect(announced()).toMatch(/^(You|Bot) marked /);
  expect(announced()!.endsWith(message)).toBe(true);
  expect(server.calls.filter(({ operation }) => operation === 'FinishGame').map(({ variables }) => variables)).toEqual([
    { ticket: 'ticket-1', squares },
  ]);
  expect(onSaved).toHaveBeenCalled();
  const before = marks('X');
  for (let square = 0; square < 9; square++) await click(square);
  expect(marks('X')).toBe(before);
});

it.each([
  [1, false],
  [2, true],
])('after a streak of %s, a win shows the bonus message: %s', async (streak, shown) => {
  server.handlers.FinishGame = () => ({
    data: {
      finishGame: {
        __typename: 'GameCounted',
        game: aCountedGame({ bonus: streak === 2 }),
        stats: server.playerStats(),
        countsFrom: null,
      },
    },
  });
  await open(streak);
  await playOut('win');
  expect(screen.queryAllByText('🎉 3 WINS IN A ROW! +1 BONUS POINT!')).toHaveLength(shown ? 1 : 0);
});

it("clears the board and cancels the bot's pending move at New Game", async () => {
  await open();
  await click(4);
  await pass(300);
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  await pass(1000);
  expect(marks('X') + marks('O')).toBe(0);
  expect(screen.getByText('Your turn (X)')).toBeVisible();
  expect(announced()).toBe('New game. Your turn (X)');
  expect(onNewGame).toHaveBeenCalled();
});

it('locks the difficulty while a game is in progress', async () => {
  await open();
  expect(screen.getByRole('radio', { name: 'Medium' })).toBeChecked();
  expect(screen.getByRole('radio', { name: 'Medium' })).toHaveAccessibleDescription('50% smart moves');
  await click(4);
  expect(screen.getByRole('radio', { name: 'Hard' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  expect(screen.getByRole('radio', { name: 'Hard' })).toBeEnabled();
});

it('resets the game 100 ms after a change of the difficulty', async () => {
  await open();
  await playOut('lose');
  act(() => screen.getByRole('radio', { name: 'Easy' }).click());
  expect(screen.getByRole('radio', { name: 'Easy' })).toBeChecked();
  await pass(99);
  expect(screen.getByText('😢 BOT WINS! -1 Point')).toBeVisible();
  await pass(1);
  expect(marks('X') + marks('O')).toBe(0);
  expect(screen.getByText('Your turn (X)')).toBeVisible();
});

it('has the next ticket before New Game, and reuses the ticket of an unplayed game', async () => {
  await open();
  const fetched = server.called('StartGame');
  expect(fetched).toBe(4);
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  await pass(0);
  expect(server.called('StartGame')).toBe(fetched);
});

it('announces a practice game before the first move when there is no ticket, and sends nothing', async () => {
  server.handlers.StartGame = () => graphqlError('INTERNAL_SERVER_ERROR');
  await open();
  expect(screen.getByText(/^Practice game:/)).toBeVisible();
  await click(4);
  await pass(500);
  expect(marks('O')).toBe(1);
  expect(server.called('FinishGame')).toBe(0);
});

describe("When the day's limit is reached", () => {
  const HOURS = 3_600_000;
  const PRACTICE = /^Practice game: today’s limit is reached, and games count again from \d\d?:\d\d/;
  const KEPT = /^Today’s limit is reached. Your result is stored in this browser and counts from \d\d?:\d\d/;
  const inHours = (hours: number) => new Date(Date.now() + hours * HOURS).toISOString();
  const newGame = () => user.click(screen.getByRole('button', { name: 'New Game' }));

  it('announces a practice game, sends nothing, and counts again in time', async () => {
    server.countsFrom = inHours(0.5);
    await open();
    expect(screen.getByText(PRACTICE)).toBeVisible();
    for (let square = 0; square < 9; square++) {
      await click(square);
      await pass(500);
    }
    expect(screen.queryByText('Your turn (X)')).toBeNull();
    expect(server.called('FinishGame')).toBe(0);
    await newGame();
    await pass(0);
    expect(screen.getByText(PRACTICE)).toBeVisible();

    server.countsFrom = null;
    await pass(HOURS / 2);
    expect(screen.queryByText(PRACTICE)).toBeNull();
    await playOut('win');
    expect(server.called('FinishGame')).toBe(1);
  });

  it('the answer to the last counted game announces practice for the next', async () => {
    const { FinishGame } = server.handlers;
    const countsFrom = inHours(0.5);
    server.handlers.FinishGame = async (...call) => {
      const answer = (await FinishGame!(...call)) as { data: { finishGame: object } };
      return { data: { finishGame: { ...answer.data.finishGame, countsFrom } } };
    };
    await open();
    await playOut('win');
    expect(screen.queryByText(PRACTICE)).toBeNull();
    // The notice must not depend on the next ticket.
    server.handlers.StartGame = () => new Promise(() => undefined);
    await newGame();
    expect(screen.getByText(PRACTICE)).toBeVisible();
  });

  it("a game with an older ticket becomes practice before the bot's first move, or waits for the next day", async () => {
    await open();
    server.countsFrom = inHours(0.5);
    await click(4);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(500);
    expect(screen.getByText(PRACTICE)).toBeVisible();

    await pass(HOURS / 2);
    server.countsFrom = null;
    await newGame();
    await pass(0);
    expect(screen.queryByText(PRACTICE)).toBeNull();
    const again = inHours(0.5);
    const { FinishGame } = server.handlers;
    server.handlers.FinishGame = () => ({
      data: {
        finishGame: { __typename: 'GameRefused', reason: 'too_many_games_today', message: '', countsFrom: again },
      },
    });
    await playOut('win');
    expect(screen.getByText('🎊 YOU WIN! +1 Point')).toBeVisible();
    expect(screen.getByText(KEPT)).toBeVisible();
    await newGame();
    expect(screen.getByText(PRACTICE)).toBeVisible();
    expect(screen.queryByText(KEPT)).toBeNull();

    server.handlers.FinishGame = FinishGame!;
    await pass(HOURS / 2);
    expect(Object.keys(localStorage).filter((key) => key.includes('.outbox.'))).toEqual([]);
    expect(screen.queryByText(PRACTICE)).toBeNull();
  });

  it('other tabs and pages without a network know it', async () => {
    await open();
    const key = 'tic-tac-toe.ticket.p-ada.countsFrom';
    localStorage.setItem(key, String(Date.now() + 20_000));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
    expect(screen.getByText(PRACTICE)).toBeVisible();
    cleanup();
    server.handlers.StartGame = () => graphqlError('INTERNAL_SERVER_ERROR');
    await open();
    expect(screen.getByText(PRACTICE)).toBeVisible();
    await pass(20_000);
    expect(screen.queryByText(PRACTICE)).toBeNull();
  });

  it('works on a computer whose clock is a day ahead', async () => {
    setServerTime(inHours(-24));
    server.countsFrom = inHours(-18);
    await open();
    expect(screen.getByText(PRACTICE)).toBeVisible();
    await pass(HOURS / 4);
    await newGame();
    await pass(0);
    expect(screen.getByText(PRACTICE)).toBeVisible();
    setServerTime(new Date().toISOString());
  });
});

it.each(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'])(
  'shows the result after a failed save (%s), and keeps the game for later',
  async (code) => {
    server.handlers.FinishGame = () => graphqlError(code);
    await open();
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
  await open();
  expect(server.calls.find(({ operation }) => operation === 'FinishGame')?.variables.ticket).toBe('old-ticket');
  localStorage.setItem('tic-tac-toe.outbox.p-ada.old', JSON.stringify({ ...game, ticket: 'again' }));
  act(() => void window.dispatchEvent(new Event('online')));
  await pass(0);
  expect(server.calls.at(-1)?.variables.ticket).toBe('again');
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
  await open();
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
  await open();
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
  await open();
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
  await open();
  await playOut('win');
  expect(screen.getByText('score 1')).toBeVisible();
  answer({ data: { finishGame: { __typename: 'GameRefused', reason: 'illegal_move', message: 'No.' } } });
  await pass(0);
  expect(screen.getByText('score 0')).toBeVisible();
  jest.mocked(console.warn).mockClear();
});

it('announces each move together with its result in one live region', async () => {
  await open(2);
  const said: string[] = [];
  const live = document.querySelectorAll('[aria-live], [role=status], [role=alert]');
  const watch = new MutationObserver((changes) => {
    const regions = new Set(changes.map(({ target }) => [...live].find((region) => region.contains(target))));
    for (const region of regions) if (region?.textContent) said.push(region.textContent);
  });
  for (const region of live) watch.observe(region, { subtree: true, childList: true, characterData: true });
  const moves = await playOut('win');
  expect(said).toHaveLength(2 * moves.length - 1);
  for (const [at, text] of said.slice(0, -1).entries()) {
    expect(text).toMatch(
      at % 2 === 0 ? /^You marked [a-z ]+\. Bot's turn \(O\)\.\.\.$/ : /^Bot marked [a-z ]+\. Your turn \(X\)$/,
    );
  }
  expect(said.at(-1)).toMatch(/^You marked [a-z ]+\. 🎊 YOU WIN! \+1 Point 🎉 3 WINS IN A ROW! \+1 BONUS POINT!$/);
  watch.disconnect();
});

describe('When the session has ended', () => {
  const notice = () => screen.getByRole('button', { name: 'sign in again' }).closest('p')?.textContent;

  it('tells the player what to do, during and after the game', async () => {
    server.handlers.FinishGame = () => graphqlError('UNAUTHENTICATED');
    const { rerender } = await open();
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
    const { rerender } = await open();
    await playOut('draw');
    rerender(<Game stats={noStats} ended />);
    expect(notice()).toBe('Your session has ended: sign in again to go on.');
  });
});
