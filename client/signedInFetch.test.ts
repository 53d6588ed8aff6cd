import { beforeEach, expect, it, jest } from '@jest/globals';
import './testing/browser.js';
import { response } from './testing/server.js';
import { ada } from './testing/session.js';
import { signedInFetch } from './signedInFetch.js';

const token = jest.fn<(refused?: string) => Promise<string | null>>();
const session = { token, getSnapshot: () => ({ phase: 'signed in', player: ada }) as const };
const fetched = jest.fn<typeof window.fetch>();

beforeEach(() => {
  token.mockReset().mockResolvedValue('old');
  window.fetch = fetched.mockReset().mockResolvedValue(response(200, {}));
});

it("sends the player's token", async () => {
  expect((await signedInFetch(session, ada.id, '/api/here')).status).toBe(200);
  const headers = { authorization: 'Bearer old', 'x-requested-with': 'tic-tac-toe' };
  expect(fetched.mock.calls).toEqual([['/api/here', { method: 'GET', headers }]]);
});

it('renews a refused token once', async () => {
  token.mockResolvedValueOnce('old').mockResolvedValueOnce('new');
  fetched.mockResolvedValue(response(401, {}));
  expect((await signedInFetch(session, ada.id, '/api/here')).status).toBe(401);
  expect(token.mock.calls).toEqual([[undefined], ['old']]);
  expect(fetched).toHaveBeenCalledTimes(2);
});

it('sends nothing without a token or after another player has signed in', async () => {
  await expect(signedInFetch(session, 'p-bob', '/api/here')).rejects.toThrow('No auth token');
  token.mockResolvedValue(null);
  await expect(signedInFetch(session, ada.id, '/api/here')).rejects.toThrow('No auth token');
  expect(fetched).not.toHaveBeenCalled();
});
