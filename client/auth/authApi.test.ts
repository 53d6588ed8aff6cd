import { describe, expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { createAuthApi, type AuthApi as Api } from './authApi.js';

const json = async (body: unknown) => (typeof body === 'string' ? (JSON.parse(body) as unknown) : body);

function answering(status: number, body: unknown = {}, headers: object = { 'x-request-id': 'r1' }) {
  const response = {
    ok: status < 300,
    status,
    headers: new Headers({ ...headers }),
    json: () => json(body),
  } as Response;
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
  ['the way to the provider', 2_000, (api: Api) => api.reach()],
])('limits %s to %i ms', async (_what, ms, call) => {
  const limit = jest.spyOn(AbortSignal, 'timeout').mockClear();
  const { fetch, api } = answering(200, granted);
  await call(api);
  expect(limit).toHaveBeenCalledWith(ms);
  expect(fetch.mock.calls[0]?.[1]?.signal).toBe(limit.mock.results[0]?.value);
});

it.each([
  [204, undefined, 'no cookie'],
  [401, { error: 'No session found.', code: 'no_session' }, 'no_session'],
  [401, { error: 'The account of this browser is deleted.', code: 'account_deleted' }, 'account_deleted'],
])('treats status %s of a refresh with %j as no session: %s', async (status, body, said) => {
  expect(await answering(status, body).api.refresh(false)).toBe(said);
});

const HTML = '<h1>Blocked</h1>';

describe.each<[status: number, body: unknown, headers?: object]>([
  ...[200, 302, 401, 403, 404, 407, 429, 451, 502, 511].map((status) => [status, HTML] as [number, unknown]),
  [200, {}],
  [200, null],
  [200, { access_token: 'theirs', expires_in: 60 }],
  [200, { ...granted, access_token: undefined }],
  [401, { error: 'Unauthorized' }],
  [401, { code: 'unauthorized', error: 'Log in to the proxy' }],
  [403, { code: 'no_session' }],
  [429, { error: 'Too many requests', code: 'too_many_requests' }],
  [503, { error: 'Later', code: 'service_unavailable' }],
  [204, undefined, {}],
])('status %s with %j', (status, body, headers) => {
  it.each<[string, (api: Api) => Promise<unknown>]>([
    ['ends no session', (api) => api.refresh(false)],
    ['is no sign-out', (api) => api.signOut()],
  ])('%s', async (_, call) => {
    await expect(call(answering(status, body, headers).api)).rejects.toThrow();
  });
});

it.each([401, 403, 404, 200])('a page of a proxy with status %s does not refuse a sign-in code', async (status) => {
  const exchanged = answering(status, HTML).api.exchange('c', 'v');
  await expect(exchanged).rejects.not.toMatchObject({ name: 'Refused' });
});

it.each([200, 404, 429])('reaches a server that answers %i', async (status) => {
  await expect(answering(status).api.reach()).resolves.toBeUndefined();
});

it('does not reach a server without a database', async () => {
  await expect(answering(503).api.reach()).rejects.toThrow('/health/ready answered 503');
});
