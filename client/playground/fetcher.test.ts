import { expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { response } from '../testing/server.js';
import { createFetcher } from './fetcher.js';
import type { GetToken } from '../graphql/sendWithToken.js';

function aFetcher(getToken: GetToken) {
  const fetch = jest.fn<typeof globalThis.fetch>(async () => response(200, { data: 1 }));
  const subscribe = jest.fn<() => AsyncIterable<never>>();
  const onAnswer = jest.fn();
  return { fetch, subscribe, onAnswer, ask: createFetcher({ getToken, subscribe, onAnswer, fetch }) };
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
