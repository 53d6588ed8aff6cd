import { expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { response } from '../testing/server.js';
import { createFetcher } from './fetcher.js';
import type { GetToken } from '../graphql/sendWithToken.js';

function aFetcher(getToken: GetToken) {
  const fetch = jest.fn<typeof globalThis.fetch>(async () => response(200, { data: 1 }));
  const subscribe = jest.fn<() => AsyncIterable<never>>();
  const [onAnswer, onMeasured] = [jest.fn(), jest.fn()];
  const ask = createFetcher({ getToken, subscribe, onAnswer, onMeasured, fetch });
  return { fetch, subscribe, onAnswer, onMeasured, ask };
}

it("sends the request with the player's token, and once more with a new one after a refusal", async () => {
  const { ask, fetch, onAnswer } = aFetcher(async (refused) => (refused ? 'new' : 'old'));
  const unauthenticated = { data: null, errors: [{ message: 'No', extensions: { code: 'UNAUTHENTICATED' } }] };
  fetch.mockResolvedValueOnce(response(200, unauthenticated));
  expect(await ask({ query: '{ me { id } }' }, { headers: { 'X-Own': 1 } })).toEqual({ data: 1 });
  expect(fetch.mock.calls.map(([, init]) => init?.headers)).toEqual([
    { 'content-type': 'application/json', authorization: 'Bearer old', 'x-own': '1' },
    { 'content-type': 'application/json', authorization: 'Bearer new', 'x-own': '1' },
  ]);
  expect(onAnswer.mock.calls).toEqual([[{ data: 1 }]]);
});

it('sends without a token when nobody is signed in', async () => {
  const { ask, fetch } = aFetcher(async () => null);
  await ask({ query: '{ __typename }' });
  expect(fetch.mock.calls[0]?.[1]?.headers).toEqual({ 'content-type': 'application/json' });
});

it('sends the chosen operation over the socket when it is a subscription', async () => {
  const { ask, fetch, subscribe } = aFetcher(async () => null);
  const query = 'query Me { me { id } } subscription Live { leaderboard { name } }';
  await ask({ query, operationName: 'Live' });
  expect(subscribe.mock.calls).toEqual([[{ query, operationName: 'Live' }]]);
  await ask({ query, operationName: 'Me' });
  await ask({ query: 'subscription {' });
  expect(subscribe).toHaveBeenCalledTimes(1);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('removes an operation name that the text does not contain', async () => {
  const { ask, fetch } = aFetcher(async () => null);
  await ask({ query: 'query Me { me { id } }', operationName: 'Leaderboard', variables: { limit: 1 } });
  expect(JSON.parse(fetch.mock.calls[0]?.[1]?.body as string)).toEqual({
    query: 'query Me { me { id } }',
    variables: { limit: 1 },
  });
});

it('measures a request with its cost, and forgets the last one when another begins', async () => {
  const { ask, fetch, onMeasured } = aFetcher(async () => null);
  const cost = { requested: 3, left: 5997 };
  jest.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_012.5);
  fetch.mockResolvedValueOnce(response(429, { data: 1, extensions: { cost } }));
  await ask({ query: '{ __typename }' });
  expect(onMeasured.mock.calls).toEqual([[null], [{ status: 429, milliseconds: 12.5, cost }]]);
  for (const query of ['subscription { leaderboard { name } }', 'query IntrospectionQuery { __typename }']) {
    onMeasured.mockClear();
    await ask({ query, operationName: query.startsWith('query') ? 'IntrospectionQuery' : null });
    expect(onMeasured.mock.calls).toEqual(query.startsWith('query') ? [] : [[null]]);
  }
});

it.each([
  {},
  { extensions: null },
  { extensions: { cost: null } },
  { extensions: { cost: { requested: '3', left: 1 } } },
  { extensions: { cost: { requested: 3 } } },
  null,
])('measures no cost in %p', async (answer) => {
  const { ask, fetch, onMeasured } = aFetcher(async () => null);
  fetch.mockResolvedValueOnce(response(200, answer));
  await ask({ query: '{ __typename }' });
  expect(onMeasured).toHaveBeenLastCalledWith({ status: 200, milliseconds: expect.any(Number), cost: undefined });
});

it('measures also an answer that is no JSON, and says why it cannot be read', async () => {
  const { ask, fetch, onMeasured } = aFetcher(async () => null);
  const json = () => Promise.reject(new SyntaxError('no JSON'));
  fetch.mockResolvedValueOnce({ ...response(502, null), json });
  await expect(ask({ query: '{ __typename }' })).rejects.toThrow('no JSON');
  expect(onMeasured).toHaveBeenLastCalledWith(expect.objectContaining({ status: 502, cost: undefined }));
});
