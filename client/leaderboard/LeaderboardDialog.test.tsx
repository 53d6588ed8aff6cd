import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { weekOf } from '../../game/week.js';
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
  render(<Page />, { wrapper: SignedIn });
  await userEvent.hover(screen.getByRole('button', { name: 'Leaderboard' }));
  const week = weekOf(new Date());
  expect(server.calls).toEqual([expect.objectContaining({ operation: 'WeekLeaderboard', variables: { week } })]);
  expect(server.calls[0]?.headers).not.toHaveProperty('authorization');
});

it('fetches once for hover, press and focus', async () => {
  server.handlers.WeekLeaderboard = withPlayers;
  await open();
  await screen.findAllByRole('listitem');
  expect(server.called('WeekLeaderboard')).toBe(1);
});

it('waits for a pending answer instead of fetching again', async () => {
  let answer: (body: object) => void = () => undefined;
  server.handlers.WeekLeaderboard = () => new Promise((resolve) => (answer = resolve));
  await open();
  expect(screen.getByRole('status', { name: 'Loading leaderboard' })).toBeVisible();
  answer(withPlayers());
  expect(await screen.findAllByRole('listitem')).toHaveLength(5);
  expect(server.called('WeekLeaderboard')).toBe(1);
});

const selected = () => screen.getByRole('tab', { selected: true }).textContent;

it('opens with this week while it has players, and keeps the tab that the player has chosen', async () => {
  server.handlers.WeekLeaderboard = withPlayers;
  const user = await open();
  await screen.findAllByRole('listitem');
  expect(selected()).toBe('This week');
  await user.click(screen.getByRole('tab', { name: 'All time' }));
  await screen.findByText('No players yet. Be the first!');
  expect(selected()).toBe('All time');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Leaderboard' }));
  await screen.findAllByRole('listitem');
  expect(selected()).toBe('This week');
});

it.each([
  ['nobody has played yet', () => ({ data: { leaderboard: [] } })],
  ['it cannot be loaded', () => graphqlError('INTERNAL_SERVER_ERROR')],
])('opens with all time when this week %s', async (_, week) => {
  server.handlers.WeekLeaderboard = week;
  server.handlers.Leaderboard = withPlayers;
  await open();
  expect(await screen.findAllByRole('listitem')).toHaveLength(5);
  expect(selected()).toBe('All time');
});

it('shows a failure with a retry button', async () => {
  server.handlers.Leaderboard = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await open();
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load leaderboard');
  const alert = screen.getByRole('alert');
  let answer: (body: object) => void = () => undefined;
  server.handlers.Leaderboard = () => new Promise((resolve) => (answer = resolve));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(server.called('Leaderboard')).toBe(2));
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
  it('is below the list with a neighbour on each side', async () => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () => aroundOwn([4811, 4812, 4813, 4814, 4815], 4813);
    await open();
    expect(await pinned()).toEqual(['#4,812', '#4,813', '#4,814']);
    expect(screen.getAllByText('You')).toHaveLength(1);
    expect(server.calls.at(-1)?.variables).toEqual({ before: 2, after: 2 });
  });

  it('is approximate where the server only estimates it', async () => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () => aroundOwn([12_341, 12_345], 12_345, false);
    await open();
    expect(await pinned()).toEqual(['about #12,300', 'about #12,300']);
  });

  it('has two neighbours above for the last player', async () => {
    server.handlers.Leaderboard = others;
    server.handlers.LeaderboardAround = () => aroundOwn([38, 39, 40], 40);
    await open();
    expect(await pinned()).toEqual(['#38', '#39', '#40']);
  });

  it('repeats no player of the list', async () => {
    server.handlers.Leaderboard = others;
    const places = [place(9, 'p-10'), place(10, 'p-11'), place(11, 'p-ada'), place(12)];
    server.handlers.LeaderboardAround = () => around(places);
    await open();
    expect(await pinned()).toEqual(['#11', '#12']);
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
    await open();
    expect(await pinned()).toEqual(['1,000+']);
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
