import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import '../testing/browser.js';
import { FakeServer, SignedIn, answerOfMe, forgetEverything, graphqlError } from '../testing/server.js';
import { LeaderboardButton } from './LeaderboardButton.js';
import { LeaderboardDialog } from './LeaderboardDialog.js';

let server: FakeServer;

beforeEach(() => {
  forgetEverything();
  server = new FakeServer().install();
});

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
  server.handlers.Leaderboard = withPlayers;
  render(<Page />, { wrapper: SignedIn });
  await userEvent.hover(screen.getByRole('button', { name: 'Leaderboard' }));
  expect(server.calls).toEqual([expect.objectContaining({ operation: 'Leaderboard', variables: { limit: 10 } })]);
  expect(server.calls[0]?.headers).not.toHaveProperty('authorization');
});

it('fetches once for hover, press and focus', async () => {
  server.handlers.Leaderboard = withPlayers;
  await open();
  await screen.findAllByRole('listitem');
  expect(server.called('Leaderboard')).toBe(1);
});

it('waits for a pending answer instead of fetching again', async () => {
  let answer: (body: object) => void = () => undefined;
  server.handlers.Leaderboard = () => new Promise((resolve) => (answer = resolve));
  await open();
  answer(withPlayers());
  expect(await screen.findAllByRole('listitem')).toHaveLength(5);
  expect(server.called('Leaderboard')).toBe(1);
});

it('shows a failure with a retry button', async () => {
  server.handlers.Leaderboard = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await open();
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load leaderboard');
  const alert = screen.getByRole('alert');
  let answer: (body: object) => void = () => undefined;
  server.handlers.Leaderboard = () => new Promise((resolve) => (answer = resolve));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(server.called('Leaderboard')).toBe(3));
  expect(screen.getByRole('alert')).toBe(alert);
  expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
  answer(withPlayers());
  expect(await screen.findAllByRole('listitem')).toHaveLength(5);
  expect(screen.getByRole('tab', { name: 'All time' })).toHaveFocus();
});

it('stays open when a press inside ends on the backdrop', async () => {
  const user = await open();
  const dialog = screen.getByRole('dialog');
  await user.pointer([
    { keys: '[MouseLeft>]', target: screen.getByText('Top 10 Players') },
    { keys: '[/MouseLeft]', target: dialog },
  ]);
  // The browser sends the click to the common ancestor.
  fireEvent.click(dialog);
  expect(dialog).toBeVisible();
});

const others = () => ({ data: { leaderboard: [1, 2, 3, 5, 6, 7, 8, 9, 10, 11].map(entry) } });
const place = (rank: number, playerId = `q-${rank}`) => ({
  ...entry(rank),
  rank,
  playerId,
  name: playerId === 'p-ada' ? 'Ada Lovelace' : `Player ${rank}`,
});
const around = (places: ReturnType<typeof place>[], rank: number, next: object, exact = true) => {
  const neighbours = { __typename: 'Neighbours', entries: places, next: { __typename: 'NextPlace', ...next } };
  return answerOfMe({ standing: { __typename: 'Standing', rank, exact, players: 40_000, neighbours } });
};
const aroundOwn = (ranks: number[], own: number, ...more: [next: object, exact?: boolean]) =>
  around(
    ranks.map((rank) => place(rank, rank === own ? 'p-ada' : undefined)),
    own,
    ...more,
  );
const pinned = async () => {
  const list = await screen.findByRole('list', { name: 'Your place' });
  await within(list).findByText('You');
  return within(list)
    .getAllByRole('listitem')
    .map((row) => row.firstElementChild?.textContent);
};

describe('the own place', () => {
  it('is below the list with a neighbour on each side and the points to the next player', async () => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () =>
      aroundOwn([4811, 4812, 4813, 4814, 4815], 4813, { rank: 4812, points: 2 });
    await open();
    expect(await pinned()).toEqual(['#4,812', '#4,813', '#4,814']);
    expect(screen.getByText('You are 4,813th of 40,000')).toBeVisible();
    expect(screen.getByText('2 points behind #4,812')).toBeVisible();
    expect(screen.getAllByText('You')).toHaveLength(1);
    expect(server.calls.at(-1)?.variables).toEqual({ before: 2, after: 2 });
  });

  it('is approximate where the server only estimates it', async () => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () => aroundOwn([12_341, 12_345], 12_345, { rank: 12_289, points: 2 }, false);
    await open();
    expect(await pinned()).toEqual(['about #12,300', 'about #12,300']);
    expect(screen.getByText('You are about #12,300 of 40,000')).toBeVisible();
    expect(screen.getByText('2 points behind about #12,300')).toBeVisible();
  });

  it('has two neighbours above for the last player', async () => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () => aroundOwn([38, 39, 40], 40, { rank: 39, points: 1 });
    await open();
    expect(await pinned()).toEqual(['#38', '#39', '#40']);
    expect(screen.getByText('1 point behind #39')).toBeVisible();
  });

  it('repeats no player of the list', async () => {
    server.handlers.Leaderboard = others;
    const places = [place(9, 'p-10'), place(10, 'p-11'), place(11, 'p-ada'), place(12)];
    server.handlers.LeaderboardAround = () => around(places, 11, { rank: 10, points: 0 });
    await open();
    expect(await pinned()).toEqual(['#11', '#12']);
    expect(screen.getByText('Level with #10')).toBeVisible();
  });

  it('needs a finished game', async () => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () => answerOfMe({ standing: null });
    await open();
    expect(await screen.findByText('Finish a game to get a place.')).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Your place' })).toBeNull();
  });

  it('is on the list of the ten, with the distance to the next player, without another request', async () => {
    server.handlers.Leaderboard = withPlayers;
    await open();
    expect(await screen.findByText('1 point behind #3')).toBeVisible();
    expect(server.called('LeaderboardAround')).toBe(0);
  });

  it.each([
    [1_000, '1,000 points ahead of #2'],
    [0, 'Level with #2'],
  ])('of the first player says how far ahead it is: %s', async (lead, text) => {
    const first = { ...entry(4), score: 1_998 + lead };
    server.handlers.Leaderboard = () => ({ data: { leaderboard: [first, entry(2)] } });
    await open();
    expect(await screen.findByText(text)).toBeVisible();
  });
});

it.each([
  [2, 8],
  [9, 1],
  [10, 0],
])('with %i players fills the list with %i free places', async (players, free) => {
  server.handlers.Leaderboard = () => ({
    data: { leaderboard: Array.from({ length: players }, (_, at) => ({ ...entry(at + 1), playerId: `p-${at}` })) },
  });
  await open();
  await waitFor(() => expect(document.querySelectorAll('.leader')).toHaveLength(players));
  expect(document.querySelectorAll('.free-place')).toHaveLength(free);
  expect(screen.queryAllByText('Up for grabs')).toHaveLength(Math.min(free, 1));
});

describe('with one player', () => {
  const only = (playerId: string) => ({ data: { leaderboard: [{ ...entry(4), playerId }] } });

  it('shows the free places and lets the player invite others', async () => {
    server.handlers.Leaderboard = () => only('p-ada');
    const user = await open();
    expect(await screen.findByText('Up for grabs')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Invite a friend' }));
    expect(await screen.findByText('Address copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(location.origin);
  });

  it('opens the share sheet where there is one', async () => {
    const share = jest.fn<Navigator['share']>(async () => undefined);
    Object.assign(navigator, { share });
    server.handlers.Leaderboard = () => only('p-ada');
    const user = await open();
    await user.click(await screen.findByRole('button', { name: 'Invite a friend' }));
    expect(share).toHaveBeenCalledWith({ text: 'Can you beat me at Tic-Tac-Toe?', url: location.origin });
    Reflect.deleteProperty(navigator, 'share');
  });

  it('shows another player the free places only', async () => {
    server.handlers.Leaderboard = () => only('p-bob');
    await open();
    expect(await screen.findByText('Up for grabs')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Invite a friend' })).toBeNull();
  });
});
