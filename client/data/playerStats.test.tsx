import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import '../testing/browser.js';
import { noStats, type Stats } from '../../game/scoring.js';
import { storedStats, useStats } from './playerStats.js';
import { aFakeServer, graphqlError, SignedIn } from '../testing/server.js';
import { useDelivery } from '../play/delivery.js';
import { render } from '../testing/render.js';

const server = aFakeServer();

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function ShownStats() {
  const { stats, asOf, loading, refetchSoon, retryIfFailed } = useStats('p-ada');
  useDelivery('p-ada');
  return (
    <>
      <p>{loading ? 'loading' : `score ${stats ? stats.score : 'unknown'}`}</p>
      <p>as of {asOf ?? 'now'}</p>
      <button onClick={refetchSoon}>saved</button>
      <button onClick={retryIfFailed}>new game</button>
    </>
  );
}

const open = () => render(<ShownStats />, { wrapper: SignedIn });
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const press = (name: string) => act(() => screen.getByRole('button', { name }).click());

it('fetches the stats 300 ms and 500 ms after the last save', async () => {
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

const KEY = 'tic-tac-toe.stats.p-ada';
const stored = { ...noStats, score: 12, wins: 12 };
const store = (stats: Stats, at = 1_000) => localStorage.setItem(KEY, JSON.stringify({ ...stats, at }));
const hearOfOtherTab = () =>
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: localStorage.getItem(KEY) })));

describe('The last stats from the server', () => {
  it('are shown with their time until a slow server answers', async () => {
    store(stored);
    let answer: (body: object) => void = () => undefined;
    server.handlers.MyStats = () => new Promise((resolve) => (answer = resolve));
    open();
    await pass(2_999);
    expect(screen.getByText('loading')).toBeVisible();
    await pass(1);
    expect(screen.getByText('score 12')).toBeVisible();
    expect(screen.getByText('as of 1000')).toBeVisible();
    // The server's answer replaces higher stored stats.
    server.stats = { ...noStats, score: 2, wins: 2 };
    answer(server.myStats());
    await pass(0);
    expect(screen.getByText('score 2')).toBeVisible();
    expect(screen.getByText('as of now')).toBeVisible();
    expect(JSON.parse(localStorage.getItem(KEY)!)).toMatchObject({ score: 2, at: Date.now() });
  });

  it('stay with their time when a later fetch fails', async () => {
    server.stats = stored;
    open();
    await pass(0);
    const asOf = Date.now();
    server.handlers.MyStats = () => graphqlError('INTERNAL_SERVER_ERROR');
    press('saved');
    await pass(500);
    expect(screen.getByText('score 12')).toBeVisible();
    expect(screen.getByText(`as of ${asOf}`)).toBeVisible();
    jest.mocked(console.warn).mockClear();
  });
});

it('takes the stored stats of another tab if they are newer', async () => {
  server.stats = stored;
  open();
  await pass(0);
  store({ ...stored, score: 13, wins: 13 });
  hearOfOtherTab();
  await pass(0);
  expect(screen.getByText('score 13')).toBeVisible();
  store({ ...stored, score: 11, wins: 11 });
  hearOfOtherTab();
  localStorage.setItem(KEY, '{');
  hearOfOtherTab();
  await pass(0);
  expect(screen.getByText('score 13')).toBeVisible();
  expect(server.called('MyStats')).toBe(1);
});

it('fetches the stats when the tab becomes visible, at most every five seconds', async () => {
  const show = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
  open();
  await pass(0);
  show();
  await pass(4_999);
  show();
  expect(server.called('MyStats')).toBe(1);
  await pass(1);
  server.stats = { ...noStats, score: 9 };
  show();
  show();
  await pass(0);
  expect(server.called('MyStats')).toBe(2);
  expect(screen.getByText('score 9')).toBeVisible();

  await pass(5_000);
  const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  show();
  hidden.mockRestore();
  expect(server.called('MyStats')).toBe(2);
});

describe('What the browser stores', () => {
  const KEY = 'tic-tac-toe.stats.ada';
  const anyStats = { ...noStats, score: -2, winStreak: 2, wins: 2, losses: 4 };

  beforeEach(() => localStorage.clear());
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    '',
    '{',
    'null',
    '7',
    '[]',
    '"stats"',
    JSON.stringify(anyStats),
    ...Object.entries({
      at: [null, '1', 1e300, -1, 8.64e15 + 1],
      score: [null, '7', 0.5, 1e300],
      wins: [-1, 0.5, '2', {}],
      winStreak: [3, -1],
      hardWins: [undefined],
    }).flatMap(([name, values]) => values.map((value) => JSON.stringify({ ...anyStats, at: 1, [name]: value }))),
  ])('rejects invalid stats: %s', (stored) => {
    localStorage.setItem(KEY, stored);
    expect(storedStats.get('ada')).toBeNull();
  });
});
