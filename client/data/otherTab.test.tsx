import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import '../testing/browser.js';
import { noStats } from '../../game/scoring.js';
import { useDelivery } from '../play/delivery.js';
import { useStats } from './playerStats.js';
import { aCountedGame, aFakeServer, aRefusal, SignedIn } from '../testing/server.js';
import { render } from '../testing/render.js';

const STATS = 'tic-tac-toe.stats.p-ada';
const GAME = 'tic-tac-toe.outbox.p-ada.g';
const won = { ...noStats, score: 1, winStreak: 1, wins: 1, easyWins: 1 };

const server = aFakeServer();

beforeEach(() => {
  jest.useFakeTimers();
  const game = { gameId: 'g', ticket: 't', squares: [], difficulty: 'easy', result: 'win', finishedAt: 1, nth: 1 };
  localStorage.setItem(GAME, JSON.stringify(game));
  answerFinishGame(aRefusal('too_fast'));
});
afterEach(() => void jest.useRealTimers());

/** The score of a tab, which has a pending win. */
function Tab() {
  const { refetchSoon } = useStats('p-ada');
  const { stats } = useDelivery('p-ada');
  return (
    <>
      <p>score {stats.score}</p>
      <button onClick={refetchSoon}>fetch again</button>
    </>
  );
}

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const answerFinishGame = (finishGame: object) => (server.handlers.FinishGame = () => ({ data: { finishGame } }));
const expectScore = (score: number) => expect(screen.getByText(/^score/)).toHaveTextContent(`score ${score}`);
const online = () => act(async () => void window.dispatchEvent(new Event('online')));

async function open() {
  render(<Tab />, { wrapper: SignedIn });
  await pass(0);
  expectScore(1);
}

/** Begins a request that is answered when the returned function is called. */
async function fetchSlowly() {
  let answer: (body: object) => void = () => undefined;
  server.handlers.MyStats = () => new Promise((resolve) => (answer = resolve));
  act(() => screen.getByRole('button').click());
  await pass(300);
  return async () => {
    answer(server.myStats());
    await pass(0);
  };
}

/** Another tab has the answer that counts the game. */
const store = (stats = won) => localStorage.setItem(STATS, JSON.stringify({ ...stats, at: Date.now() }));
const remove = () => localStorage.removeItem(GAME);

/** The event of a change, which can arrive after later changes. */
const hear = (key: string, newValue = localStorage.getItem(key)) =>
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue })));

/** Another tab has saved the game, and this one hears of it. */
const savedElsewhere = [store, () => hear(STATS), remove, () => hear(GAME)] as const;

it.each([
  ['that this tab hears of at once', savedElsewhere],
  ['whose events come after all changes', [store, remove, () => hear(STATS), () => hear(GAME)]],
  ['that this tab finds out before it hears of it', [store, remove, online, () => hear(STATS), () => hear(GAME)]],
])('a pending win stays in the score during a save by another tab %s', async (_, steps: readonly (() => unknown)[]) => {
  await open();
  for (const step of steps) {
    await step();
    expectScore(1);
  }
  await pass(0);
  expectScore(1);
});

it('a pending win stays in the score while a request is on its way', async () => {
  await open();
  const answer = await fetchSlowly();
  for (const step of savedElsewhere) step();
  await pass(0);
  expectScore(1);
  server.stats = won;
  await answer();
  expectScore(1);
});

it('a pending win stays in the score while the first request is on its way', async () => {
  server.handlers.MyStats = () => new Promise(() => undefined);
  await open();
  for (const step of savedElsewhere) step();
  await pass(0);
  expectScore(1);
});

it('a pending win stays in the score when this tab saves it while a request is on its way', async () => {
  await open();
  await fetchSlowly();
  server.stats = won;
  answerFinishGame({
    __typename: 'GameCounted',
    game: aCountedGame(),
    stats: server.playerStats(),
    countsFrom: null,
    gamesPerDay: 100,
  });
  await online();
  await pass(0);
  expect(localStorage.getItem(GAME)).toBeNull();
  expectScore(1);
});

it('late events of the first of two saved games change nothing', async () => {
  await open();
  const first = JSON.stringify({ ...won, at: Date.now() });
  store({ ...won, score: 2, winStreak: 2, wins: 2, easyWins: 2 });
  remove();
  hear(STATS, first);
  expectScore(2);
  await pass(0);
  expectScore(2);
});

it('a voided game leaves the score with the next answer', async () => {
  await open();
  store();
  remove();
  hear(GAME);
  expectScore(1);
  const answer = await fetchSlowly();
  expectScore(1);
  await answer();
  expectScore(0);
});
