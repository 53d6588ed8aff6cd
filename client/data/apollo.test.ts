import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ApolloClient, DocumentNode } from '@apollo/client';
import '../testing/browser.js';
import { createApolloClient, signedInFetch } from './apollo.js';
import { FinishGameDocument, MyGamesDocument, MyStatsDocument } from '../graphql/generated.js';
import { storedStats } from './playerStats.js';
import { aCountedGame, answerOfMe, myGames, response } from '../testing/server.js';
import { ada } from '../testing/session.js';

const stats = { score: 1, winStreak: 1, wins: 1, losses: 0, draws: 0, easyWins: 1, mediumWins: 0, hardWins: 0 };
const statsOf = (over: object) => ({ __typename: 'PlayerStats' as const, playerId: 'p-ada', ...stats, ...over });
const answer = answerOfMe({ stats: statsOf({}) });
const unauthenticated = { errors: [{ message: 'no', extensions: { code: 'UNAUTHENTICATED' } }] };

const token = jest.fn<(refused?: string) => Promise<string | null>>();
const fetch = jest.fn<typeof globalThis.fetch>();

afterEach(() => {
  player = ada;
  localStorage.clear();
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

it('does not store stats when the answer arrives after the sign-out', async () => {
  token.mockResolvedValue('good');
  let send = () => undefined as void;
  fetch.mockReturnValueOnce(new Promise((sent) => (send = () => sent(response(200, answer)))));
  const asked = ask();
  await new Promise((resolve) => setTimeout(resolve));
  player = { ...ada, id: 'p-bob' };
  send();
  expect((await asked).data?.me.stats.score).toBe(1);
  expect(localStorage).toHaveLength(0);
});

describe('A query of the stats or the last games', () => {
  const newerStats = statsOf({ score: 2, wins: 2 });
  const newer = answerOfMe({ stats: newerStats });
  const gamesAnswer = (...ids: string[]) => myGames(...ids.map((id) => aCountedGame({ id })));
  const refused = { data: { finishGame: { __typename: 'GameRefused', reason: 'expired', message: '' } } };

  const COUNTS = [
    [
      'this tab',
      async (client: ApolloClient) => {
        fetch.mockResolvedValueOnce(response(200, refused));
        await client.mutate({ mutation: FinishGameDocument, variables: { ticket: 't', squares: [0] } });
      },
    ],
    ['another tab', async () => storedStats.set('p-ada', newerStats)],
  ] as const;
  const QUERIES = [
    ['stats', MyStatsDocument, {}, answer, newer],
    ['last games', MyGamesDocument, { first: 20 }, gamesAnswer('a'), gamesAnswer('b', 'a')],
  ] as const;
  const cases = COUNTS.flatMap(([tab, count]) => QUERIES.map(([name, ...query]) => [name, tab, count, query] as const));

  it.each(cases)('of the %s is repeated when %s counted a game meanwhile', async (_, _tab, countGame, given) => {
    const [query, variables, outdated, expected] = given;
    token.mockResolvedValue('good');
    window.fetch = fetch;
    const client = createApolloClient(session, 'p-ada');
    let sendOutdated = () => undefined as void;
    fetch.mockReturnValueOnce(new Promise((sent) => (sendOutdated = () => sent(response(200, outdated)))));
    const document: DocumentNode = query;
    const asked = client.query({ query: document, variables });
    await countGame(client);
    fetch.mockResolvedValueOnce(response(200, expected));
    sendOutdated();
    expect((await asked).data).toMatchObject(expected.data);
    expect(sentTokens().length).toBeGreaterThan(1);
  });
});

it.each([
  ['an UNAUTHENTICATED error', response(200, unauthenticated)],
  ['status 401', response(401, unauthenticated)],
])('sends the request once more with a new token after %s', async (_, refusal) => {
  token.mockImplementation(async (refused) => (refused ? 'new' : 'old'));
  fetch.mockResolvedValueOnce(refusal).mockResolvedValueOnce(response(200, answer));
  expect((await ask()).data?.me.stats.score).toBe(1);
  expect(sentTokens()).toEqual(['Bearer old', 'Bearer new']);
});

it('believes no status 401 without the code, as of a proxy', async () => {
  token.mockResolvedValue('good');
  fetch.mockResolvedValue(response(401, { error: 'Unauthorized' }));
  await expect(ask()).rejects.toThrow('401');
  expect(token.mock.calls).toEqual([[undefined]]);
});

it('fails after a second refusal', async () => {
  token.mockImplementation(async (refused) => (refused ? 'new' : 'old'));
  fetch.mockImplementation(async () => response(200, unauthenticated));
  await expect(ask()).rejects.toThrow();
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('fails without another request when the session has ended', async () => {
  token.mockImplementation(async (refused) => (refused ? null : 'old'));
  fetch.mockResolvedValue(response(401, unauthenticated));
  await expect(ask()).rejects.toThrow('No auth token');
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('asks for no other token when the network is lost', async () => {
  token.mockResolvedValue('good');
  fetch.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(ask()).rejects.toThrow('Failed to fetch');
  expect(token.mock.calls).toEqual([[undefined]]);
});

it('sends nothing without a token', async () => {
  token.mockResolvedValue(null);
  await expect(ask()).rejects.toThrow('No auth token');
  expect(fetch).not.toHaveBeenCalled();
});

it('sends nothing with the token of another player who has signed in meanwhile', async () => {
  token.mockImplementation(async () => {
    player = { ...ada, id: 'p-bob' };
    return 'a token of Bob';
  });
  await expect(ask()).rejects.toThrow('No auth token');
  expect(fetch).not.toHaveBeenCalled();
});

it.each([
  response(429, { error: 'Too many requests. Try again in 7 seconds.' }),
  response(502, {}),
  response(502, null),
])('reports the status of an answer that is not GraphQL', async (refusal) => {
  token.mockResolvedValue('good');
  fetch.mockResolvedValue(refusal);
  await expect(ask()).rejects.toThrow(`Received status code ${refusal.status}`);
});

it('renews a refused token once outside GraphQL too', async () => {
  window.fetch = fetch;
  token.mockResolvedValueOnce('old').mockResolvedValueOnce('new');
  fetch.mockResolvedValue(response(401, {}));
  expect((await signedInFetch(session, 'p-ada', '/api/here')).status).toBe(401);
  expect(token.mock.calls).toEqual([[undefined], ['old']]);
  expect(sentTokens()).toEqual(['Bearer old', 'Bearer new']);
});
