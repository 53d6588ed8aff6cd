import { expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { response } from '../testing/server.js';
import { createFetcher } from './fetcher.js';

it('What is typed is sent with the token of the player, and once more with a new one where that is refused', async () => {
  const fetch = jest.fn<typeof globalThis.fetch>();
  const unauthenticated = { data: null, errors: [{ message: 'No', extensions: { code: 'UNAUTHENTICATED' } }] };
  fetch.mockResolvedValueOnce(response(200, unauthenticated)).mockResolvedValueOnce(response(200, { data: 1 }));
  const ask = createFetcher(async (refused) => (refused ? 'new' : 'old'), fetch);
  expect(await ask({ query: '{ me { id } }' }, { headers: { 'x-own': '1' } })).toEqual({ data: 1 });
  expect(fetch.mock.calls.map(([, init]) => init?.headers)).toEqual([
    { 'content-type': 'application/json', authorization: 'Bearer old', 'x-own': '1' },
    { 'content-type': 'application/json', authorization: 'Bearer new', 'x-own': '1' },
  ]);
});

it('Without a player it is sent without a token', async () => {
  const fetch = jest.fn<typeof globalThis.fetch>(async () => response(200, { data: 1 }));
  await createFetcher(async () => null, fetch)({ query: '{ __typename }' });
  expect(fetch.mock.calls[0]?.[1]?.headers).toEqual({ 'content-type': 'application/json' });
});
