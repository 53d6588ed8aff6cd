import { afterEach, expect, it, jest } from '@jest/globals';
import './testing/browser.js';
import { anonymous, createApolloClient } from './apollo.js';
import { LeaderboardDocument, MyStatsDocument } from './graphql/generated.js';
import { response } from './testing/server.js';
import { ada } from './testing/session.js';

const stats = { score: 1, winStreak: 1, wins: 1, losses: 0, draws: 0, easyWins: 1, mediumWins: 0, hardWins: 0 };
const answer = { data: { myStats: { __typename: 'PlayerStats', playerId: 'p-ada', ...stats } } };
const unauthenticated = { errors: [{ message: 'no', extensions: { code: 'UNAUTHENTICATED' } }] };

const token = jest.fn<(refused?: string) => Promise<string | null>>();
const fetch = jest.fn<typeof globalThis.fetch>();

afterEach(() => {
  player = ada;
  token.mockReset();
  fetch.mockReset();
});

let player = ada;
const session = { token, getSnapshot: () => ({ phase: 'signed in', player }) as const };

function ask() {
  window.fetch = fetch;
  return createApolloClient(session, 'p-ada').query({ query: MyStatsDocument });
}

const sentTokens = () => fetch.mock.calls.map(([, init]) => (init?.headers as Record<string, string>).authorization);

it('A request carries the token of the player', async () => {
  token.mockResolvedValue('good');
  fetch.mockResolvedValue(response(200, answer));
  expect((await ask()).data?.myStats.score).toBe(1);
  expect(sentTokens()).toEqual(['Bearer good']);
});

it.each([
  ['an UNAUTHENTICATED error', response(200, unauthenticated)],
  ['status 401', response(401, unauthenticated)],
  ['status 401 without a body that says more', response(401, {})],
])('After %s the request is sent once more with a new token', async (_, refusal) => {
  token.mockImplementation(async (refused) => (refused ? 'new' : 'old'));
  fetch.mockResolvedValueOnce(refusal).mockResolvedValueOnce(response(200, answer));
  expect((await ask()).data?.myStats.score).toBe(1);
  expect(sentTokens()).toEqual(['Bearer old', 'Bearer new']);
});

it('A second refusal is an error: nothing is tried for ever', async () => {
  token.mockImplementation(async (refused) => (refused ? 'new' : 'old'));
  fetch.mockImplementation(async () => response(200, unauthenticated));
  await expect(ask()).rejects.toThrow();
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('Without a token nothing is sent', async () => {
  token.mockResolvedValue(null);
  await expect(ask()).rejects.toThrow('No auth token');
  expect(fetch).not.toHaveBeenCalled();
});

it('Nothing is sent with the token of a player who has signed in since, even while the request waited for it', async () => {
  token.mockImplementation(async () => {
    player = { ...ada, id: 'p-bob' };
    return 'a token of Bob';
  });
  await expect(ask()).rejects.toThrow('No auth token');
  expect(fetch).not.toHaveBeenCalled();
});

it.each([
  [
    response(429, { error: 'Too many requests. Try again in 7 seconds.' }),
    'Too many requests. Try again in 7 seconds.',
  ],
  [response(502, {}), '/graphql answered 502'],
  [response(502, null), '/graphql answered 502'],
])(
  'An answer that is none of GraphQL is told in the words of its error field, if there is one',
  async (refusal, said) => {
    token.mockResolvedValue('good');
    fetch.mockResolvedValue(refusal);
    await expect(ask()).rejects.toThrow(said);
  },
);

it('What anyone may read is asked for without a token', async () => {
  window.fetch = fetch.mockResolvedValue(response(200, { data: { leaderboard: [] } }));
  const client = createApolloClient(session, 'p-ada');
  await client.query({ query: LeaderboardDocument, variables: { limit: 10 }, context: anonymous });
  expect(token).not.toHaveBeenCalled();
  expect(sentTokens()).toEqual([undefined]);
});
