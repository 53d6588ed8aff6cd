import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import '../testing/browser.js';
import { FakeServer, SignedIn, answerOfMe, forgetEverything, graphqlError } from '../testing/server.js';
import { FakeSocket } from '../testing/socket.js';
import { LeaderboardDialog } from './LeaderboardDialog.js';

let server: FakeServer;

beforeEach(() => {
  forgetEverything();
  server = new FakeServer().install();
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const entry = (name: string, score: number) => ({
  __typename: 'LeaderboardEntry',
  playerId: `p-${name.toLowerCase()}`,
  name,
  picture: '/avatar/someone.svg',
  score,
  wins: 2,
  losses: 1,
  draws: 0,
  totalGames: 3,
  byProgram: false,
});

const board = (...names: string[]) => ({ leaderboard: names.map((name, at) => entry(name, 100 - at)) });
const names = () => screen.getAllByRole('listitem').map((row) => row.querySelector('bdi')?.textContent);

async function open() {
  const page = render(<LeaderboardDialog playerId="p-ada" onClose={() => undefined} />, {
    wrapper: SignedIn,
  });
  await wait(0);
  return page;
}

const wait = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));

async function connect() {
  await act(async () => {
    FakeSocket.latest.open();
    FakeSocket.latest.receive({ type: 'connection_ack' });
  });
}

const tell = (data: object) => act(async () => FakeSocket.latest.receive({ type: 'next', id: '1', payload: { data } }));

it('polls every five seconds while sockets are blocked, and reconnects', async () => {
  await open();
  await act(async () => FakeSocket.latest.close());
  server.handlers.Leaderboard = () => ({ data: board('Bea') });
  await wait(5_000);
  expect(names()).toEqual(['Bea']);
  expect(FakeSocket.opened).toHaveLength(2);
  await connect();
  await tell(board('Cy'));
  expect(names()).toEqual(['Cy']);
  await wait(20_000);
  expect(server.called('Leaderboard')).toBe(2);
});

it('polls while a socket does not open', async () => {
  await open();
  await wait(15_000);
  expect(server.called('Leaderboard')).toBe(4);
  expect(FakeSocket.opened).toHaveLength(1);
});

it('replaces a socket that the server ends', async () => {
  await open();
  await connect();
  await tell(board('Bea'));
  await act(async () => FakeSocket.latest.receive({ type: 'error', id: '1', payload: [{ message: 'no' }] }));
  await wait(5_000);
  expect(FakeSocket.opened).toHaveLength(2);
});

it('replaces a socket that is dead without a close, as after sleep, and keeps a silent one that answers', async () => {
  await open();
  await connect();
  await tell(board('Bea'));
  const socket = FakeSocket.latest;
  const pings = () => socket.sent.filter(({ type }) => type === 'ping').length;
  await wait(30_000);
  expect(pings()).toBe(1);
  await act(async () => socket.receive({ type: 'pong' }));
  await wait(25_000);
  expect(FakeSocket.opened).toHaveLength(1);

  jest.setSystemTime(Date.now() + 8 * 3_600_000);
  server.handlers.Leaderboard = () => ({ data: board('Cy') });
  await wait(10_000);
  expect(names()).toEqual(['Cy']);
  expect(socket.readyState).toBe(FakeSocket.CLOSED);
  expect(FakeSocket.opened).toHaveLength(2);
  await connect();
  await tell(board('Di'));
  expect(names()).toEqual(['Di']);
});

it('shows entries from the socket after a failed query', async () => {
  server.handlers.Leaderboard = () => graphqlError('INTERNAL_SERVER_ERROR');
  await open();
  expect(screen.getByRole('alert')).toBeVisible();
  await connect();
  await tell(board('Bea'));
  expect(names()).toEqual(['Bea']);
});

it('closes the socket with the dialog', async () => {
  const { unmount } = await open();
  await connect();
  unmount();
  expect(FakeSocket.latest.readyState).toBe(FakeSocket.CLOSED);
  await wait(20_000);
  expect(FakeSocket.opened).toHaveLength(1);
  expect(server.called('Leaderboard')).toBe(1);
});

it('lets a connecting socket open before closing it', async () => {
  const { unmount } = await open();
  unmount();
  expect(FakeSocket.latest.readyState).toBe(FakeSocket.CONNECTING);
  FakeSocket.latest.open();
  expect(FakeSocket.latest.readyState).toBe(FakeSocket.CLOSED);
  expect(FakeSocket.latest.sent).toEqual([]);
});

const standing = (rank: number) => {
  const neighbours = { __typename: 'Neighbours', entries: [{ ...entry('Ada', 0), rank }] };
  return answerOfMe({ standing: { __typename: 'Standing', exact: true, neighbours } });
};

it('refetches the standing when the entries change, and hides it inside the top ten', async () => {
  let rank = 12;
  server.handlers.Leaderboard = () => ({ data: board('Bea') });
  server.handlers.LeaderboardAround = () => standing(rank);
  await open();
  expect(screen.getByText('#12')).toBeVisible();
  rank = 11;
  await connect();
  await tell(board('Bea', 'Cy'));
  await wait(0);
  expect(screen.getByText('#11')).toBeVisible();
  await tell(board('Ada', 'Bea'));
  expect(screen.queryByText('#11')).toBeNull();
});
