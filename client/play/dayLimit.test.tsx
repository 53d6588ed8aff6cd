import { describe, expect, it } from '@jest/globals';
import { act, cleanup, screen } from '@testing-library/react';
import { setServerTime } from '../ui/time/clock.js';
import { click, isolateGames, openGame, pass, playOut, user } from '../testing/game.js';
import { graphqlError, type FakeServer } from '../testing/server.js';

let server: FakeServer;
isolateGames((next) => (server = next));

const HOURS = 3_600_000;
const PRACTICE = /^Practice game: today's limit is reached, and games count again from \d\d?:\d\d/;
const KEPT = /^Today's limit is reached. Your result is stored in this browser and counts from \d\d?:\d\d/;
const inHours = (hours: number) => new Date(Date.now() + hours * HOURS).toISOString();
const newGame = () => user.click(screen.getByRole('button', { name: 'New Game' }));

describe("When the day's limit is reached", () => {
  it('other tabs and pages without a network know it', async () => {
    await openGame();
    const key = 'tic-tac-toe.ticket.p-ada.countsFrom';
    localStorage.setItem(key, String(Date.now() + 20_000));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
    expect(screen.getByText(PRACTICE)).toBeVisible();
    cleanup();
    server.handlers.StartGame = () => graphqlError('INTERNAL_SERVER_ERROR');
    await openGame();
    expect(screen.getByText(PRACTICE)).toBeVisible();
    await pass(20_000);
    expect(screen.queryByText(PRACTICE)).toBeNull();
  });

  it('works on a computer whose clock is a day ahead', async () => {
    setServerTime(inHours(-24));
    server.countsFrom = inHours(-18);
    await openGame();
    expect(screen.getByText(PRACTICE)).toBeVisible();
    await pass(HOURS / 4);
    await newGame();
    await pass(0);
    expect(screen.getByText(PRACTICE)).toBeVisible();
    setServerTime(new Date().toISOString());
  });
});

describe("When the day's limit is reached during a game", () => {
  it("a game with an older ticket becomes practice before the bot's first move, or waits for the next day", async () => {
    await openGame();
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
});
