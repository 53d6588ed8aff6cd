import { expect, it, jest } from '@jest/globals';
import { Refused, createAuthApi } from './authApi.js';

function answering(status: number, body: unknown = {}) {
  const response = { ok: status < 300, status, json: async () => body } as Response;
  const fetch = jest.fn<typeof globalThis.fetch>(async () => response);
  return { fetch, api: createAuthApi(fetch) };
}

const user = { id: 'p1', name: 'Ada', email: null, picture: '/avatar/p1.svg', provider: 'google' };
const granted = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 600, user };

it('A code is exchanged with its verifier, in a request that no foreign page can make', async () => {
  const { fetch, api } = answering(200, granted);
  const grant = await api.exchange('the code', 'the verifier');
  expect(grant).toMatchObject({ accessToken: 'a.b.c', player: user });
  expect(grant.expiresAt - Date.now()).toBeGreaterThan(599_000);
  expect(fetch).toHaveBeenCalledWith('/auth/token', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'x-requested-with': 'tic-tac-toe', 'content-type': 'application/json' },
    body: JSON.stringify({ code: 'the code', code_verifier: 'the verifier' }),
  });
});

it('A code that is refused tells the code of the reason', async () => {
  const { api } = answering(400, { error: 'Too late', code: 'sign_in_expired' });
  await expect(api.exchange('c', 'v')).rejects.toMatchObject({
    name: 'Refused',
    code: 'sign_in_expired',
    message: 'Too late',
  });
});

it.each([204, 401])('A refresh that answers %s means that there is no session', async (status) => {
  expect(await answering(status).api.refresh()).toBeNull();
});

it.each([429, 500, 503])('A refresh that answers %s says nothing about the session', async (status) => {
  const problem = await answering(status)
    .api.refresh()
    .catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Error);
  expect(problem).not.toBeInstanceOf(Refused);
});
