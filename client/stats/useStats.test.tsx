import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import '../testing/browser.js';
import { noStats } from '../../game/scoring.js';
import { FakeServer, SignedIn, forgetEverything, graphqlError } from '../testing/server.js';
import { useStats } from './useStats.js';

let server: FakeServer;

beforeEach(() => {
  jest.useFakeTimers();
  forgetEverything();
  server = new FakeServer().install();
});
afterEach(() => void jest.useRealTimers());

function Stats() {
  const { stats, loading, refetchSoon, retryIfFailed } = useStats();
  return (
    <>
      <p>{loading ? 'loading' : `score ${stats.score}`}</p>
      <button onClick={refetchSoon}>saved</button>
      <button onClick={retryIfFailed}>new game</button>
    </>
  );
}

const open = () => render(<Stats />, { wrapper: SignedIn });
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const press = (name: string) => act(() => screen.getByRole('button', { name }).click());

it('Stats are fetched when the session loads, with the token of the player', async () => {
  server.stats = { ...noStats, score: 7 };
  open();
  expect(screen.getByText('loading')).toBeVisible();
  await pass(0);
  expect(screen.getByText('score 7')).toBeVisible();
  expect(server.calls[0]?.headers.authorization).toBe('Bearer a-token');
});

it('A fetch that fails is only logged: the stats are zero, and it is tried again on the next game', async () => {
  const working = server.handlers.MyStats;
  server.handlers.MyStats = () => graphqlError('INTERNAL_SERVER_ERROR');
  open();
  await pass(0);
  expect(screen.getByText('score 0')).toBeVisible();
  expect(console.warn).toHaveBeenCalledWith('Failed to load stats', expect.anything());
  jest.mocked(console.warn).mockClear();
  server.handlers.MyStats = working!;
  server.stats = { ...noStats, score: 3 };
  press('new game');
  await pass(0);
  expect(screen.getByText('score 3')).toBeVisible();
});

it('A server that does not answer keeps nobody from playing', async () => {
  server.handlers.MyStats = () => new Promise(() => undefined);
  open();
  await pass(2999);
  expect(screen.getByText('loading')).toBeVisible();
  await pass(1);
  expect(screen.getByText('score 0')).toBeVisible();
});

it('After a save the stats are fetched again 300 ms and 500 ms later, counted from the last one', async () => {
  open();
  await pass(0);
  press('saved');
  await pass(200);
  press('saved');
  server.stats = { ...noStats, score: 9 };
  await pass(299);
  expect(server.called('MyStats')).toBe(1);
  await pass(1);
  expect(server.called('MyStats')).toBe(2);
  expect(screen.getByText('score 9')).toBeVisible();
  server.stats = { ...noStats, score: 10 };
  await pass(199);
  expect(server.called('MyStats')).toBe(2);
  await pass(1);
  expect(server.called('MyStats')).toBe(3);
  expect(screen.getByText('score 10')).toBeVisible();
  await pass(10_000);
  expect(server.called('MyStats')).toBe(3);
});
