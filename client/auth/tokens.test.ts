import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { aGrant, someSurroundings } from '../testing/surroundings.js';
import { Tokens } from './tokens.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function someTokens() {
  const { api, tabs } = someSurroundings();
  const owner = { granted: jest.fn(), gone: jest.fn() };
  return { tokens: new Tokens(api, tabs, owner), api, tabs, owner };
}

it('A token that is still good is given without asking the server', async () => {
  const { tokens, api } = someTokens();
  const grant = aGrant();
  tokens.keep(grant);
  expect(await tokens.token()).toBe(grant.accessToken);
  expect(api.refresh).not.toHaveBeenCalled();
});

it('Many requests with an expired token cause one refresh, taken in turn with the other tabs', async () => {
  const { tokens, api, tabs } = someTokens();
  tokens.keep(aGrant({ expiresAt: Date.now() + 5_000 }));
  api.refresh.mockResolvedValue(aGrant({ accessToken: 'new' }));
  const all = await Promise.all([tokens.token(), tokens.token(), tokens.token()]);
  expect(all).toEqual(['new', 'new', 'new']);
  expect(api.refresh).toHaveBeenCalledTimes(1);
  expect(tabs.oneAtATime).toHaveBeenCalledWith('refresh', expect.any(Function));
});

it('A token that the server refused is replaced before its time', async () => {
  const { tokens, api } = someTokens();
  tokens.keep(aGrant({ accessToken: 'refused' }));
  api.refresh.mockResolvedValueOnce(aGrant({ accessToken: 'new' }));
  expect(await tokens.token('refused')).toBe('new');
});

it('After a night asleep the token is renewed as soon as someone looks at the page', async () => {
  const { tokens, api } = someTokens();
  tokens.keep(aGrant());
  jest.setSystemTime(Date.now() + 8 * 3_600_000);
  tokens.wakeUp();
  expect(api.refresh).toHaveBeenCalledTimes(1);
});

it('A refresh that finds no network ends no session and is tried again', async () => {
  const { tokens, api, owner } = someTokens();
  tokens.keep(aGrant());
  api.refresh.mockRejectedValueOnce(new Error('offline'));
  await jest.advanceTimersByTimeAsync(541_000);
  expect(owner.gone).not.toHaveBeenCalled();
  api.refresh.mockResolvedValueOnce(aGrant());
  await jest.advanceTimersByTimeAsync(15_000);
  expect(api.refresh).toHaveBeenCalledTimes(2);
});

it('An answer that arrives after signing out signs nobody in', async () => {
  const { tokens, api, owner } = someTokens();
  let answer: (grant: ReturnType<typeof aGrant>) => void = () => undefined;
  api.refresh.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const refreshed = tokens.refresh();
  await jest.advanceTimersByTimeAsync(0);
  tokens.drop();
  answer(aGrant());
  await refreshed;
  expect(owner.granted).not.toHaveBeenCalled();
  expect(await tokens.token()).toBeNull();
});
