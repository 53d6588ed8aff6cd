import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import '../testing/browser.js';
import { aFakeServer, answerOfMe, graphqlError, SignedIn } from '../testing/server.js';
import { FakeSocket } from '../testing/socket.js';
import { LeaderboardButton } from './LeaderboardButton.js';
import { LeaderboardDialog } from './LeaderboardDialog.js';
import { render } from '../testing/render.js';

const server = aFakeServer();

const entry = (rank: number) => ({
  __typename: 'LeaderboardEntry',
  playerId: rank === 4 ? 'p-ada' : `p-${rank}`,
  name: rank === 4 ? 'Ada Lovelace' : `Player ${rank}`,
  picture: `/avatar/p-${rank}.svg`,
  score: 2000 - rank,
  wins: 2,
  losses: 1,
  draws: 0,
  totalGames: 3,
  byProgram: false,
});

const withPlayers = () => ({ data: { leaderboard: [1, 2, 3, 4, 5].map(entry) } });

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <LeaderboardButton onOpen={() => setOpen(true)} />
      {open && <LeaderboardDialog playerId="p-ada" onClose={() => setOpen(false)} />}
    </>
  );
}

async function open() {
  const user = userEvent.setup();
  render(<Page />, { wrapper: SignedIn });
  await user.click(screen.getByRole('button', { name: 'Leaderboard' }));
  return user;
}

it('fetches without a token, already on hover', async () => {
  render(<Page />, { wrapper: SignedIn });
  await userEvent.hover(screen.getByRole('button', { name: 'Leaderboard' }));
  expect(server.calls).toEqual([expect.objectContaining({ operation: 'Leaderboard', variables: { limit: 10 } })]);
  expect(server.calls[0]?.headers).not.toHaveProperty('authorization');
});

it('fetches this week again whenever its tab opens', async () => {
  const user = await open();
  await user.click(screen.getByRole('tab', { name: 'Week' }));
  await screen.findByText('The week is young: your next win takes the lead!');
  await user.click(screen.getByRole('tab', { name: 'All time' }));
  server.handlers.WeekLeaderboard = withPlayers;
  await user.click(screen.getByRole('tab', { name: 'Week' }));
  expect(await screen.findAllByRole('listitem')).toHaveLength(5);
});

it('shows a failure with a retry button', async () => {
  server.handlers.Leaderboard = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await open();
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load leaderboard');
  const alert = screen.getByRole('alert');
  let answer: (body: object) => void = () => undefined;
  server.handlers.Leaderboard = () => new Promise((resolve) => (answer = resolve));
  const before = server.called('Leaderboard');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(server.called('Leaderboard')).toBe(before + 1));
  expect(screen.getByRole('alert')).toBe(alert);
  expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
  answer(withPlayers());
  expect(await screen.findAllByRole('listitem')).toHaveLength(5);
  expect(screen.getByRole('tab', { name: 'All time' })).toHaveFocus();
});

const others = () => ({ data: { leaderboard: [1, 2, 3, 5, 6, 7, 8, 9, 10, 11].map(entry) } });
const place = (rank: number, playerId = `q-${rank}`) => ({
  ...entry(rank),
  rank,
  playerId,
  name: playerId === 'p-ada' ? 'Ada Lovelace' : `Player ${rank}`,
});
const around = (places: ReturnType<typeof place>[], exact = true) =>
  answerOfMe({
    standing: { __typename: 'Standing', exact, neighbours: { __typename: 'Neighbours', entries: places } },
  });
const aroundOwn = (ranks: number[], own: number, exact?: boolean) =>
  around(
    ranks.map((rank) => place(rank, rank === own ? 'p-ada' : undefined)),
    exact,
  );
const pinned = async () => {
  const list = await screen.findByRole('list', { name: 'Your place' });
  await within(list).findByText('You');
  return within(list)
    .getAllByRole('listitem')
    .map((row) => row.firstElementChild?.textContent);
};

describe('the own place', () => {
  it.each([
    ['has a neighbour on each side', aroundOwn([4811, 4812, 4813, 4814, 4815], 4813), ['#4,812', '#4,813', '#4,814']],
    [
      'is approximate where it is estimated',
      aroundOwn([12_341, 12_345], 12_345, false),
      ['about #12,300', 'about #12,300'],
    ],
    ['has two neighbours above for the last player', aroundOwn([38, 39, 40], 40), ['#38', '#39', '#40']],
    [
      'repeats no player of the list',
      around([place(9, 'p-10'), place(10, 'p-11'), place(11, 'p-ada'), place(12)]),
      ['#11', '#12'],
    ],
  ])('%s', async (_, answer, shown) => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () => answer;
    await open();
    expect(await pinned()).toEqual(shown);
    expect(screen.getAllByText('You')).toHaveLength(1);
  });

  it('needs a finished game', async () => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () => answerOfMe({ standing: null });
    await open();
    expect(await screen.findByText('Finish a game to get a place.')).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Your place' })).toBeNull();
  });

  it('is on the list of the ten, without another request', async () => {
    server.handlers.Leaderboard = withPlayers;
    await open();
    expect(await screen.findByText('You')).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Your place' })).toBeNull();
    expect(server.called('LeaderboardAround')).toBe(0);
  });

  it('of the week is a rank among the first 1,000', async () => {
    server.handlers.WeekLeaderboard = others;
    server.handlers.MyWeek = () => answerOfMe({ week: { ...place(1, 'p-ada'), rank: null } });
    const user = await open();
    await user.click(screen.getByRole('tab', { name: 'Week' }));
    expect(await pinned()).toEqual(['1,000+']);
  });
});

it.each([
  [2, ['Bronze medal, rank 3', '#4 to #10']],
  [5, ['#6 to #10']],
  [9, ['#10']],
  [10, []],
])('with %i players offers the free places %j', async (players, free) => {
  server.handlers.Leaderboard = () => ({
    data: { leaderboard: Array.from({ length: players }, (_, at) => ({ ...entry(at + 1), playerId: `p-${at}` })) },
  });
  await open();
  await waitFor(() => expect(document.querySelectorAll('.leader')).toHaveLength(players));
  const places = [...document.querySelectorAll('.free-place > :first-child')];
  expect(places.map((place) => place.querySelector('svg')?.getAttribute('aria-label') ?? place.textContent)).toEqual(
    free,
  );
  expect(screen.queryAllByText('Up for grabs')).toHaveLength(free.length);
});

describe('with one player', () => {
  const only = (playerId: string) => ({ data: { leaderboard: [{ ...entry(4), playerId }] } });

  it.each([
    [1, true],
    [0, false],
  ])('with a score of %i says that the player leads: %s', async (score, leads) => {
    server.handlers.Leaderboard = () => ({ data: { leaderboard: [{ ...entry(4), score }] } });
    await open();
    expect(await screen.findByText(score === 1 ? 'point' : 'points')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Invite a friend' })).toBeVisible();
    expect(screen.queryByText("You're in the lead.") !== null).toBe(leads);
  });

  it('opens the share sheet where there is one', async () => {
    const share = jest.fn<Navigator['share']>(async () => undefined);
    Object.assign(navigator, { share });
    server.handlers.Leaderboard = () => only('p-ada');
    const user = await open();
    await user.click(await screen.findByRole('button', { name: 'Invite a friend' }));
    expect(share).toHaveBeenCalledWith({ text: 'Can you beat me at Tic-Tac-Toe?', url: location.origin });
    // The browser refuses a second sheet.
    const copy = jest.spyOn(navigator.clipboard, 'writeText');
    share.mockRejectedValueOnce(new DOMException('A share is under way', 'InvalidStateError'));
    await user.click(screen.getByRole('button', { name: 'Invite a friend' }));
    expect(share).toHaveBeenCalledTimes(2);
    expect(copy).not.toHaveBeenCalled();
    Reflect.deleteProperty(navigator, 'share');
  });

  it('shows another player the free places only', async () => {
    server.handlers.Leaderboard = () => only('p-bob');
    await open();
    expect(await screen.findAllByText('Up for grabs')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Invite a friend' })).toBeNull();
  });
});

describe('while it is open', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const board = (...names: string[]) => ({
    leaderboard: names.map((name) => ({ ...entry(1), playerId: `p-${name.toLowerCase()}`, name })),
  });
  const names = () => screen.getAllByRole('listitem').map((row) => row.querySelector('bdi')?.textContent);

  async function watch() {
    const page = render(<LeaderboardDialog playerId="p-ada" onClose={() => undefined} />, { wrapper: SignedIn });
    await wait(0);
    return page;
  }

  const wait = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));

  async function connect() {
    await act(async () => {
      FakeSocket.latest.open();
      FakeSocket.latest.receive({ type: 'connection_ack' });
    });
    await wait(0);
  }

  const tell = (data: object) => act(async () => FakeSocket.latest.receive({ type: 'next', payload: { data } }));

  it('polls while a socket does not open', async () => {
    await watch();
    await wait(15_000);
    expect(server.called('Leaderboard')).toBe(4);
    expect(FakeSocket.opened).toHaveLength(1);
  });

  it.each([
    ['its close', () => FakeSocket.latest.close()],
    ['an error', () => FakeSocket.latest.receive({ type: 'error', payload: [{ message: 'no' }] })],
    ['the end of the subscription', () => FakeSocket.latest.receive({ type: 'complete' })],
    ['401', () => FakeSocket.latest.close(4401, 'Unauthorized')],
  ])('polls and replaces a socket after %s', async (_, end) => {
    await watch();
    await connect();
    await tell(board('Bea'));
    await act(async () => end());
    server.handlers.Leaderboard = () => ({ data: board('Cy') });
    await wait(5_000);
    expect(names()).toEqual(['Cy']);
    expect(FakeSocket.opened).toHaveLength(2);
    await connect();
    await tell(board('Di'));
    expect(names()).toEqual(['Di']);
    await wait(20_000);
    expect(server.called('Leaderboard')).toBe(2);
  });

  it('replaces a socket that is dead without a close, as after sleep, and keeps a silent one that answers', async () => {
    await watch();
    await connect();
    await tell(board('Bea'));
    const socket = FakeSocket.latest;
    const pings = () => socket.sent.filter(({ type }) => type === 'ping').length;
    await wait(30_000);
    expect(pings()).toBe(1);
    await act(async () => socket.receive({ type: 'pong' }));
    await wait(25_000);
    expect(FakeSocket.opened).toHaveLength(1);

    server.handlers.Leaderboard = () => ({ data: board('Cy') });
    // The ping, the wait for its answer, and the next poll.
    await wait(11_000);
    await wait(6_000);
    expect(names()).toEqual(['Cy']);
    expect(socket.readyState).toBe(FakeSocket.CLOSED);
    expect(FakeSocket.opened).toHaveLength(2);
    await connect();
    await tell(board('Di'));
    expect(names()).toEqual(['Di']);
  });

  it('shows entries from the socket after a failed query', async () => {
    server.handlers.Leaderboard = () => graphqlError('INTERNAL_SERVER_ERROR');
    await watch();
    expect(screen.getByRole('alert')).toBeVisible();
    await connect();
    await tell(board('Bea'));
    expect(names()).toEqual(['Bea']);
  });

  it('closes the socket with the dialog', async () => {
    const { unmount } = await watch();
    await connect();
    unmount();
    await wait(0);
    expect(FakeSocket.latest.readyState).toBe(FakeSocket.CLOSED);
    await wait(20_000);
    expect(FakeSocket.opened).toHaveLength(1);
    expect(server.called('Leaderboard')).toBe(1);
  });

  it('refetches the standing when the entries change, and hides it inside the top ten', async () => {
    let rank = 12;
    server.handlers.Leaderboard = () => ({ data: board('Bea') });
    server.handlers.LeaderboardAround = () => aroundOwn([rank], rank);
    await watch();
    expect(screen.getByText('#12')).toBeVisible();
    rank = 11;
    await connect();
    await tell(board('Bea', 'Cy'));
    await wait(0);
    expect(screen.getByText('#11')).toBeVisible();
    await tell(board('Ada', 'Bea'));
    expect(screen.queryByText('#11')).toBeNull();
  });
});
