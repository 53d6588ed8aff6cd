import { expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { Refused } from '../data/refused.js';
import { createAuthApi, type AuthApi as Api } from './authApi.js';

function answering(status: number, body: unknown = {}) {
  const response = { ok: status < 300, status, json: async () => body } as Response;
  const fetch = jest.fn<typeof globalThis.fetch>(async () => response);
  return { fetch, api: createAuthApi(fetch) };
}

const user = { id: 'p1', name: 'Ada', email: null, picture: '/avatar/p1.svg', provider: 'google' };
const granted = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 600, user, return_to: '/playground/' };

it.each([
  [400, 'sign_in_expired'],
  [429, 'too_many_sign_ins'],
])('passes on the error code of a refusal with status %s', async (status, code) => {
  const { api } = answering(status, { error: 'Because', code });
  await expect(api.exchange('c', 'v')).rejects.toMatchObject({ name: 'Refused', code, message: 'Because' });
});

it.each([
  ['a first refresh, for a second one within the grace period', 5_000, (api: Api) => api.refresh(false)],
  ['a repeated refresh, which a slow network needs', 20_000, (api: Api) => api.refresh(true)],
  ['the way to the provider', 20_000, (api: Api) => api.reach()],
])('limits %s to %i ms', async (_what, ms, call) => {
  const limit = jest.spyOn(AbortSignal, 'timeout').mockClear();
  const { fetch, api } = answering(200, granted);
  await call(api);
  expect(limit).toHaveBeenCalledWith(ms);
  expect(fetch.mock.calls[0]?.[1]?.signal).toBe(limit.mock.results[0]?.value);
});

it.each([
  [204, 'no cookie'],
  [401, null],
])('treats status %s of a refresh as no session: %s', async (status, said) => {
  expect(await answering(status).api.refresh(false)).toBe(said);
});

it.each([429, 500, 503])('treats status %s of a refresh as a network error', async (status) => {
  const problem = await answering(status)
    .api.refresh(false)
    .catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Error);
  expect(problem).not.toBeInstanceOf(Refused);
});

it.each([200, 404, 429])('reaches a server that answers %i', async (status) => {
  await expect(answering(status).api.reach()).resolves.toBeUndefined();
});

it('does not reach a server without a database', async () => {
  await expect(answering(503).api.reach()).rejects.toThrow('/health/ready answered 503');
});
