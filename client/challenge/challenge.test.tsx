import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import { dareCode } from '../../game/dare.js';
import { addResult, noStats, type Stats } from '../../game/scoring.js';
import { storedStats } from '../data/playerStats.js';
import { keepCommitment, keptCommitment } from '../data/seedCommitment.js';
import '../testing/browser.js';
import { aFakeServer, myChallenge, SignedIn } from '../testing/server.js';
import { ChallengeDialog } from './ChallengeDialog.js';
import { Dare } from './Dare.js';
import { Duel } from './Results.js';
import Today from './Today.js';
import { render } from '../testing/render.js';

const server = aFakeServer();
/** The squares of the started games. */
let games: number[][];
let results: (string | null)[];
let place: number | null;
/** Further fields of the answer. */
let more: object;

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
  [games, results, place, more] = [[], [], 2, {}];
  Object.assign(server.handlers, {
    MyChallenge: () =>
      myChallenge({
        attempt: attempt(),
        endsAt: new Date(Date.now() + (5 * 60 + 12.5) * 60_000).toISOString(),
        par: results.length === 5 ? 17 : null,
        place: games.length === 5 && results[4] ? place : null,
        players: 3,
        ...more,
      }),
    ChallengeTable: () => ({
      data: {
        challenge: { __typename: 'Challenge', day: '2026-11-22', commitment: 'the hash of the seeds', entries: [] },
      },
    }),
  });
});

function show() {
  const [onCounted, onBonus] = [jest.fn(), jest.fn()];
  const onOpen = () => undefined;
  render(<ChallengeDialog playerId="p-ada" {...{ onCounted, onBonus, onOpen }} onClose={onOpen} />, {
    wrapper: SignedIn,
  });
  return { onCounted, onBonus, user: userEvent.setup() };
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

it('never begins on "Close", also while it loads', async () => {
  const answer = server.handlers.MyChallenge!;
  let load!: () => void;
  server.handlers.MyChallenge = (...asked) => new Promise((resolve) => (load = () => resolve(answer(...asked))));
  show();
  expect(screen.getByRole('status', { name: 'Loading the challenge' })).toHaveFocus();
  await waitFor(() => expect(load).toBeDefined());
  await act(async () => load());
  expect(await screen.findByRole('button', { name: 'Start game 1 of 5' })).toHaveFocus();
});

describe('a won game', () => {
  const before: Stats = { ...noStats, score: 2, winStreak: 2, wins: 2, easyWins: 2 };
  const win = async (stats: Stats) => {
    storedStats.set('p-ada', before);
    games = [[4, 0, 1, 3]];
    server.handlers.PlayChallengeMove = () => {
      [games, results, server.stats] = [[[4, 0, 1, 3, 7]], ['win'], stats];
      return { data: { playChallengeMove: played(server.playerStats()) } };
    };
    const shown = show();
    await shown.user.click(await screen.findByRole('gridcell', { name: 'Bottom centre, empty' }));
    await screen.findByRole('button', { name: 'Next: game 2 of 5' });
    return shown;
  };

  it('shows the bonus of the third win in a row until the next game', async () => {
    const { user, onBonus } = await win(addResult(before, 'win', 'easy').stats);
    expect(screen.getByText('🎊 YOU WIN! +1 Point')).toBeVisible();
    expect(screen.getByText('🎉 3 WINS IN A ROW! +1 BONUS POINT!')).toBeVisible();
    expect(onBonus.mock.calls).toEqual([[true]]);
    server.handlers.StartChallengeGame = () => {
      games.push([]);
      return { data: { startChallengeGame: played() } };
    };
    await user.click(screen.getByRole('button', { name: 'Next: game 2 of 5' }));
    expect(await screen.findByText('Game 2 of 5 · Easy')).toBeVisible();
    expect(onBonus.mock.calls).toEqual([[true], [false]]);
  });

  it('claims no point before the server counts it', async () => {
    const { onBonus } = await win(before);
    expect(screen.getByText('🎊 YOU WIN!')).toBeVisible();
    expect(screen.getByText(/^This one counts from \d\d:\d\d.$/)).toBeVisible();
    expect(onBonus).not.toHaveBeenCalled();
  });
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
  await act(async () =>
    answer({ data: { ...current.data, myChallenge: { ...current.data.myChallenge, attempt: before } } }),
  );
  expect(screen.getByText('Game 1 of 5 · Easy')).toBeVisible();
});

it.each([
  ['not_today', 'The day is over, so an unfinished game is lost. There is a new challenge.'],
  ['other_account_played', "You played today's challenge with another account. There is a new one tomorrow."],
  ['move_out_of_order', 'You also played this game in another window. Here is where it stands.'],
])('says why the server refuses a start: %s', async (reason, said) => {
  const { user } = show();
  const start = await screen.findByRole('button', { name: 'Start game 1 of 5' });
  server.handlers.StartChallengeGame = () => ({
    data: { startChallengeGame: { __typename: 'ChallengeRefused', reason, attempt: attempt() } },
  });
  const asked = server.called('MyChallenge');
  await user.click(start);
  expect(await screen.findByRole('alert')).toHaveTextContent(said);
  await waitFor(() => expect(server.called('MyChallenge')).toBe(asked + 1));
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
      data: { ...data, myChallenge: { ...data.myChallenge, attempt: { ...attempt(), day: '2026-11-23' }, endsAt } },
    });
    await pass(5_000);
    expect(server.called('MyChallenge')).toBe(3);
    await pass(3_600_000);
    expect(server.called('MyChallenge')).toBe(3);
  });
});

it('lets a hidden player, who has no place, dare nobody', async () => {
  games = [0, 1, 2, 3, 4].map(() => [0, 3, 1, 4, 2]);
  results = ['win', 'win', 'win', 'win', 'win'];
  place = null;
  show();
  expect(await screen.findByText(/^18 moves/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Dare somebody' })).toBeNull();
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
  const GRACE_ID = '0198fe3f-9d2b-7aff-bfff-fb3e0c1d2e3f';
  const answer = (rival: readonly number[], mine: readonly number[]) => ({
    data: {
      challenge: {
        ...{ __typename: 'Challenge', over: true, seeds: null, par: null },
        rival: entry(GRACE_ID, 'Grace', rival),
        mine: entry('p-ada', 'Ada', mine),
      },
    },
  });
  const visit = (day = '2026-11-22') => history.replaceState(null, '', `/d/${dareCode({ playerId: GRACE_ID, day })}`);
  const open = (rival: readonly number[], mine: readonly number[]) => {
    visit();
    server.handlers.Duel = () => answer(rival, mine);
    return show();
  };
  const heading = async () => within(await screen.findByRole('region', { name: 'Duel' })).getByRole('heading');
  afterEach(() => history.replaceState(null, '', '/'));

  it.each([
    ['You win!', [3, 2, 25]],
    ['A draw.', GRACE],
    ['Grace wins.', [3, 1, 22]],
  ])('says "%s" for %p', async (said, mine) => {
    games = [0, 1, 2, 3, 4].map(() => [0, 3, 1, 4, 2]);
    results = ['win', 'win', 'draw', 'win', 'lose'];
    const { user } = open(GRACE, mine);
    expect(await heading()).toHaveTextContent(said);
    expect(screen.getByRole('button', { name: 'Dare somebody' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(location.pathname).toBe('/');
  });

  it('after practice shows both results of the day, without another verdict', async () => {
    server.handlers.Duel = () => answer(GRACE, [3, 1, 22]);
    render(<Duel duel={{ playerId: GRACE_ID, day: '2026-11-20' }} playerId="p-ada" />, { wrapper: SignedIn });
    expect(await heading()).toHaveTextContent(/^20 Nov$/);
    expect(screen.getAllByText(/^\d+ moves$/).map(({ textContent }) => textContent)).toEqual(['21 moves', '22 moves']);
  });

  it('of the own past day shows the own result', async () => {
    const { challenge } = answer(GRACE, GRACE).data;
    server.handlers.Duel = () => ({ data: { challenge: { ...challenge, rival: challenge.mine } } });
    render(<Duel duel={{ playerId: 'p-ada', day: '2026-11-19' }} playerId="p-ada" />, { wrapper: SignedIn });
    expect(within(await screen.findByRole('region', { name: '19 Nov' })).getByText('You')).toBeVisible();
  });

  it.each([
    ['2026-11-22', 2],
    ['1970-01-01', 0],
    ['no day, behind no code', 0],
  ])('of an unknown player on %s says so, on the login screen too, after %i requests', async (day, requests) => {
    if (/^\d/.test(day)) visit(day);
    else history.replaceState(null, '', '/d/%3Cb%3Enobody');
    const challenge = { __typename: 'Challenge', over: false, seeds: null, par: null, rival: null, mine: null };
    server.handlers.Duel = () => ({ data: { challenge } });
    const { unmount } = render(<Dare onDared={() => undefined} Practice={() => null} />);
    expect(await screen.findByText('There is no dare behind this link.')).toBeVisible();
    unmount();
    show();
    expect(await screen.findByText('There is no dare behind this link.')).toBeVisible();
    expect(server.called('Duel')).toBe(requests);
  });

  it('that cannot be loaded is asked for again', async () => {
    visit();
    server.handlers.Duel = () => Promise.reject(new TypeError('Failed to fetch'));
    const { user } = show();
    expect(await screen.findByText('The server did not answer. Please try again.')).toBeVisible();
    server.handlers.Duel = () => answer(GRACE, GRACE);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await heading()).toHaveTextContent('A draw.');
  });

  it('of a hidden player with the own practice says nothing', async () => {
    const challenge = { __typename: 'Challenge', over: true, seeds: null, par: null, rival: null, mine: null };
    let answer!: (body: object) => void;
    server.handlers.Duel = () => new Promise((resolve) => (answer = resolve));
    const duel = { playerId: GRACE_ID, day: '2026-11-20' };
    const { container } = render(<Duel duel={duel} playerId={GRACE_ID} />, { wrapper: SignedIn });
    await waitFor(() => expect(answer).toBeDefined());
    await act(async () => answer({ data: { challenge } }));
    expect(container).toBeEmptyDOMElement();
  });

  it("shows today's best with somebody else", async () => {
    const entries = [entry('p-else', 'Else', GRACE), entry('p-ada', 'Ada', GRACE)];
    server.handlers.ChallengeTable = () => ({
      data: { challenge: { __typename: 'Challenge', commitment: null, entries } },
    });
    open(GRACE, GRACE);
    expect(await screen.findByRole('region', { name: "Today's best" })).toBeVisible();
  });
});

it.each([
  ['Yesterday: 2nd of 2', { yesterday: { __typename: 'ChallengeStanding', place: 2, players: 2 } }],
  ['1st of 1 today · Day 2', { place: 1, players: 1, run: 2 }],
])('says on the card "%s"', async (said, fields) => {
  more = fields;
  render(<Today onOpen={() => undefined} />, { wrapper: SignedIn });
  expect(await screen.findByText(said)).toBeVisible();
});

it('tells on the card once of each rival who was better, and of none who took the dare', async () => {
  const rivals = [
    ['p-bo', 'Bo', '2026-11-22'],
    ['p-cy', 'Cy', '2026-11-21'],
    ['p-di', 'Di', '2026-11-22'],
    ['p-ed', 'Ed', '2026-11-20'],
    ['p-fay', 'Fay', null],
  ].map(([playerId, name, lastLost]) => ({ __typename: 'Rival', playerId, name, lastLost }));
  const taker = { __typename: 'ChallengeTaker', playerId: 'p-bo', name: 'Bo', wins: 5, result: 'win' };
  more = { takers: [taker], takersInAll: 1 };
  const answer = server.handlers.MyChallenge!;
  server.handlers.MyChallenge = (...asked) => {
    const { data } = answer(...asked) as ReturnType<typeof myChallenge>;
    return { data: { ...data, me: { ...data.me, rivals } } };
  };
  const visit = async () => {
    const { unmount } = render(<Today onOpen={() => undefined} />, { wrapper: SignedIn });
    await screen.findByRole('list', { name: 'Your games' });
    const said = screen.queryAllByRole('button', { name: /beaten/ }).map(({ textContent }) => textContent);
    unmount();
    return said;
  };
  expect(await visit()).toEqual(['Cy has beaten your result of yesterday.']);
  expect(await visit()).toEqual(['Di has beaten your result of today.']);
  expect(await visit()).toEqual([]);
});

it('names on the card three who took the dare, and the number of the others', async () => {
  const common = { __typename: 'ChallengeTaker', playerId: 'p-bo' };
  const ends = [
    ['Bo', 4, 'win'],
    ['Cy', 3, 'draw'],
    ['Di', 2, 'lose'],
  ] as const;
  more = { takers: ends.map(([name, wins, result]) => ({ ...common, name, wins, result })), takersInAll: 5 };
  render(<Today onOpen={() => undefined} />, { wrapper: SignedIn });
  await screen.findByRole('list', { name: 'Your games' });
  expect(screen.getAllByText(/took|more/).map(({ textContent }) => textContent)).toEqual([
    'Bo took your dare: 4 of 5, and beat you.',
    'Cy took your dare: 3 of 5, a draw.',
    'Di took your dare: 2 of 5, and you won.',
    expect.stringContaining('And 2 more.'),
  ]);
});

describe('the result', () => {
  it.each([
    ['5 wins', 'win win win win win', 'true'],
    ['4 wins, 1 draw', 'win win win win draw', 'false'],
    ['1 win, 2 draws', 'win draw lose lose draw', 'false'],
    ['2 draws', 'lose draw lose lose draw', 'false'],
    ['No wins', 'lose lose lose lose lose', 'false'],
  ])('is "%s"', async (said, ends, well) => {
    [games, results] = [[0, 1, 2, 3, 4].map(() => [0, 3, 1, 4, 2]), ends.split(' ')];
    show();
    expect((await screen.findByText(said)).parentElement).toHaveAttribute('data-well', well);
    const [today, ...others] = screen.getAllByRole('listitem').filter(({ dataset }) => dataset.you === 'true');
    expect(others).toEqual([]);
    const wins = results.filter((result) => result === 'win').length;
    expect(today).toHaveTextContent(new RegExp(`^${wins} wins?: \\d days?`));
  });

  it('is celebrated when it is better than yesterday', async () => {
    [games, results] = [[0, 1, 2, 3, 4].map(() => [0, 3, 1, 4, 2]), 'win draw lose lose draw'.split(' ')];
    more = { isBetter: true };
    show();
    expect((await screen.findByText('Better than yesterday!')).parentElement).toHaveAttribute('data-well', 'true');
  });
});

it('offers no game while the server does not answer, and asks again', async () => {
  const answer = server.handlers.MyChallenge!;
  server.handlers.MyChallenge = () => Promise.reject(new TypeError('Failed to fetch'));
  render(<Today onOpen={() => undefined} />, { wrapper: SignedIn });
  expect(screen.getByRole('button', { name: 'Play' })).toBeDisabled();
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByText('The challenge could not be loaded.')).toBeVisible();
  // Nobody knows which games are played.
  expect(screen.queryByText(/not played/)).toBeNull();
  server.handlers.MyChallenge = answer;
  await userEvent.setup().click(again);
  expect(await screen.findByRole('button', { name: 'Play' })).toBeVisible();
});
