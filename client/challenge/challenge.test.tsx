import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import { noStats } from '../../game/scoring.js';
import { keepCommitment, keptCommitment } from '../seedCommitment.js';
import '../testing/browser.js';
import { FakeServer, forgetEverything, SignedIn } from '../testing/server.js';
import { ChallengeDialog } from './ChallengeDialog.js';
import Today from './Today.js';

let server: FakeServer;
/** The squares of the started games. */
let games: number[][];
let results: (string | null)[];
let place: number | null;

const attempt = () => ({
  __typename: 'ChallengeAttempt',
  playerId: 'p-ada',
  day: '2026-11-22',
  games: CHALLENGE_DIFFICULTIES.map((difficulty, at) => ({
    __typename: 'ChallengeGame',
    number: at + 1,
    difficulty,
    started: games[at] !== undefined,
    squares: games[at] ?? [],
    result: results[at] ?? null,
  })),
  totalMoves: results.length === 5 ? 18 : null,
});

const played = (stats: object | null = null) => ({ __typename: 'ChallengePlayed', attempt: attempt(), stats });

beforeEach(() => {
  forgetEverything();
  server = new FakeServer().install();
  [games, results, place] = [[], [], 2];
  Object.assign(server.handlers, {
    MyChallenge: () => ({
      data: {
        myChallenge: {
          __typename: 'MyChallenge',
          attempt: attempt(),
          endsAt: new Date(Date.now() + (5 * 60 + 12.5) * 60_000).toISOString(),
          par: results.length === 5 ? 17 : null,
          place: games.length === 5 && results[4] ? place : null,
          players: 3,
        },
      },
    }),
    ChallengeTable: () => ({
      data: {
        challenge: { __typename: 'Challenge', day: '2026-11-22', commitment: 'the hash of the seeds', entries: [] },
      },
    }),
  });
});

function show() {
  const onCounted = jest.fn();
  render(<ChallengeDialog playerId="p-ada" onCounted={onCounted} onClose={() => undefined} />, { wrapper: SignedIn });
  return { onCounted, user: userEvent.setup() };
}

const square = (name: RegExp) => screen.getByRole('gridcell', { name });

it('keeps the first commitment of the day', async () => {
  show();
  await screen.findByText("Nobody has finished today's challenge yet.");
  expect(keptCommitment('2026-11-22')).toBe('the hash of the seeds');
  keepCommitment('2026-11-22', 'another hash');
  expect(keptCommitment('2026-11-22')).toBe('the hash of the seeds');
});

it('shows a started game at once, and takes no second mark while the answer is on its way', async () => {
  games = [[4, 0]];
  let answer!: (body: object) => void;
  server.handlers.PlayChallengeMove = () => new Promise((resolve) => (answer = resolve));
  const { user } = show();
  await user.click(await screen.findByRole('gridcell', { name: 'Top centre, empty' }));
  await user.click(square(/^Top right/));
  expect(square(/^Top centre/)).toHaveAccessibleName('Top centre, X');
  expect(square(/^Top right/)).toHaveAccessibleName('Top right, empty');
  games = [[4, 0, 1, 7]];
  await act(async () => answer({ data: { playChallengeMove: played() } }));
  await waitFor(() => expect(square(/^Bottom centre/)).toHaveAccessibleName('Bottom centre, O'));
  expect(server.calls.find(({ operation }) => operation === 'PlayChallengeMove')?.variables).toEqual({
    day: '2026-11-22',
    game: 1,
    move: 2,
    square: 1,
  });
});

it('sends the same move again when the network returns', async () => {
  games = [[]];
  server.handlers.PlayChallengeMove = () => Promise.reject(new TypeError('Failed to fetch'));
  const { user } = show();
  await user.click(await screen.findByRole('gridcell', { name: 'Centre, empty' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Your move is kept.');
  games = [[4, 0]];
  server.handlers.PlayChallengeMove = () => ({ data: { playChallengeMove: played() } });
  expect(console.warn).toHaveBeenCalledWith('Failed to fetch');
  jest.mocked(console.warn).mockClear();
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(square(/^Top left/)).toHaveAccessibleName('Top left, O'));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('keeps the started game when an earlier request is answered late', async () => {
  const { user } = show();
  await screen.findByRole('button', { name: 'Start game 1 of 5' });
  const before = attempt();
  const current = server.handlers.MyChallenge!({}, {}) as { data: { myChallenge: object } };
  let answer!: (body: object) => void;
  server.handlers.MyChallenge = () => new Promise((resolve) => (answer = resolve));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(answer).toBeDefined());
  server.handlers.StartChallengeGame = () => {
    games = [[]];
    return { data: { startChallengeGame: played() } };
  };
  await user.click(screen.getByRole('button', { name: 'Start game 1 of 5' }));
  expect(await screen.findByText('Game 1 of 5 · Easy')).toBeVisible();
  await act(async () => answer({ data: { myChallenge: { ...current.data.myChallenge, attempt: before } } }));
  expect(screen.getByText('Game 1 of 5 · Easy')).toBeVisible();
});

describe('after the end of the day', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('asks for the next day until the server gives it', async () => {
    const { data } = server.handlers.MyChallenge!({}, {}) as { data: { myChallenge: { endsAt: string } } };
    server.handlers.MyChallenge = () => ({ data });
    const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
    show();
    await pass(0);
    await pass(Date.parse(data.myChallenge.endsAt) - Date.now() + 1_000);
    expect(server.called('MyChallenge')).toBe(2);
    const endsAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
    server.handlers.MyChallenge = () => ({
      data: { myChallenge: { ...data.myChallenge, attempt: { ...attempt(), day: '2026-11-23' }, endsAt } },
    });
    await pass(5_000);
    expect(server.called('MyChallenge')).toBe(3);
    await pass(3_600_000);
    expect(server.called('MyChallenge')).toBe(3);
  });
});

it('gives the stats of a finished game to the page, and then the result of the day', async () => {
  games = [[0], [0], [0], [0], [0, 3, 1, 4]];
  results = ['win', 'lose', 'draw', 'win'];
  const { onCounted, user } = show();
  const stats = { __typename: 'PlayerStats', playerId: 'p-ada', ...noStats, wins: 3 };
  server.handlers.PlayChallengeMove = () => {
    games[4] = [0, 3, 1, 4, 2];
    results = [...results, 'win'];
    return { data: { playChallengeMove: played(stats) } };
  };
  await user.click(await screen.findByRole('gridcell', { name: 'Top right, empty' }));
  await user.click(await screen.findByRole('button', { name: 'See your result' }));
  expect(onCounted).toHaveBeenCalledWith(expect.objectContaining({ wins: 3 }));
  expect(await screen.findByText('2nd of 3 today')).toBeVisible();
  expect(screen.getByText('18 moves (best possible: 17)')).toBeVisible();
  expect(screen.getByText('Game 5, Hard: won')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Dare somebody' }));
  expect(await screen.findByText(/^Copied/)).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(
    `Tic-Tac-Toe, 22 Nov: 🟦🟧⬜🟦🟦 in 18 moves. Beat me: ${location.origin}/?duel=p-ada&day=2026-11-22`,
  );
});

it('shows and shares a finished attempt without a place', async () => {
  games = [0, 1, 2, 3, 4].map(() => [0, 3, 1, 4, 2]);
  results = ['win', 'win', 'win', 'win', 'win'];
  place = null;
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Dare somebody' }));
  expect(await navigator.clipboard.readText()).toBe(
    `Tic-Tac-Toe, 22 Nov: 🟦🟦🟦🟦🟦 in 18 moves. Beat me: ${location.origin}/?duel=p-ada&day=2026-11-22`,
  );
  expect(screen.queryByText(/Unfinished games count as lost/)).toBeNull();
});

describe('a duel', () => {
  const entry = (playerId: string, name: string, [wins, draws, totalMoves]: readonly number[]) => ({
    __typename: 'ChallengeEntry',
    place: 1,
    playerId,
    name,
    picture: '/avatar/one.svg',
    wins,
    draws,
    totalMoves,
    results: ['win', 'win', 'draw', 'win', 'lose'],
  });
  const GRACE = [3, 1, 21];
  const open = (
    rival: readonly number[] | null,
    mine: readonly number[] | null,
    address = '?duel=p-grace&day=2026-11-22',
  ) => {
    history.replaceState(null, '', `/${address}`);
    server.handlers.Duel = () => ({
      data: {
        challenge: {
          __typename: 'Challenge',
          rival: rival && entry('p-grace', 'Grace', rival),
          mine: mine && entry('p-ada', 'Ada', mine),
        },
      },
    });
    return show();
  };
  const heading = async () => within(await screen.findByRole('region', { name: 'Duel' })).getByRole('heading');
  afterEach(() => history.replaceState(null, '', '/'));

  it('shows the result to beat before the games, and stays in the address until they are over', async () => {
    open(GRACE, null);
    expect(await heading()).toHaveTextContent('Grace dares you:');
    expect(server.calls.find(({ operation }) => operation === 'Duel')?.variables).toEqual({
      day: '2026-11-22',
      rivalId: 'p-grace',
      playerId: 'p-ada',
    });
    expect(screen.getByRole('button', { name: 'Start game 1 of 5' })).toBeVisible();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
    expect(location.search).toBe('?duel=p-grace&day=2026-11-22');
  });

  it.each([
    ['You win!', [4, 0, 25]],
    ['You win!', [3, 2, 25]],
    ['You win!', [3, 1, 20]],
    ['A draw.', GRACE],
    ['Grace wins.', [3, 1, 22]],
    ['Grace wins.', [3, 0, 17]],
  ])('says "%s" for %p', async (said, mine) => {
    games = [0, 1, 2, 3, 4].map(() => [0, 3, 1, 4, 2]);
    results = ['win', 'win', 'draw', 'win', 'lose'];
    const { user } = open(GRACE, mine);
    expect(await heading()).toHaveTextContent(said);
    expect(screen.getByRole('button', { name: 'Dare somebody' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(location.search).toBe('');
  });

  it('of an earlier day shows its result and the games of today', async () => {
    open(GRACE, [3, 1, 22], '?duel=p-grace&day=2026-11-20');
    expect(await heading()).toHaveTextContent('20 NovGrace wins.');
    expect(screen.getByText(/^That day is over/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Start game 1 of 5' })).toBeVisible();
  });

  it('that nobody dares, and the own one, are a quiet sentence above the games', async () => {
    open(null, null);
    expect(await screen.findByText('There is no dare behind this link.')).toBeVisible();
    cleanup();
    open(GRACE, null, '?duel=p-ada&day=2026-11-22');
    expect(await screen.findByText('This is your own link. Send it to somebody.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Start game 1 of 5' })).toBeVisible();
  });
});

async function showToday() {
  const onOpen = jest.fn();
  render(<Today onOpen={onOpen} />, { wrapper: SignedIn });
  const panel = await screen.findByRole('region', { name: "Today's challenge" });
  await within(panel).findByText(/5 h 12 min/);
  return { panel: within(panel), onOpen };
}

it('says what there is to play, and how long', async () => {
  const { panel, onOpen } = await showToday();
  expect(panel.getByText('5 h 12 min left')).toBeVisible();
  expect(panel.getByText('Five games. One try a day.')).toBeVisible();
  await userEvent.setup().click(panel.getByRole('button', { name: 'Play' }));
  expect(onOpen).toHaveBeenCalled();
});

it('offers no game while the server does not answer, and asks again', async () => {
  const answer = server.handlers.MyChallenge!;
  server.handlers.MyChallenge = () => Promise.reject(new TypeError('Failed to fetch'));
  render(<Today onOpen={() => undefined} />, { wrapper: SignedIn });
  expect(screen.getByRole('button', { name: 'Play' })).toBeDisabled();
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByText('The challenge could not be loaded.')).toBeVisible();
  server.handlers.MyChallenge = answer;
  await userEvent.setup().click(again);
  expect(await screen.findByRole('button', { name: 'Play' })).toBeVisible();
});
