import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ada, aGrant, fakeDependencies } from '../testing/session.js';
import { lastPlayer } from './page.js';
import { Tokens } from './tokens.js';

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
});
afterEach(() => void jest.useRealTimers());

function someTokens() {
  const { api, tabs } = fakeDependencies();
  const owner = { onGrant: jest.fn(), onSessionLost: jest.fn() };
  return { tokens: new Tokens(api, tabs, owner), api, tabs, owner };
}

it('returns a valid token without a request', async () => {
  const { tokens, api } = someTokens();
  const grant = aGrant();
  tokens.set(grant);
  expect(await tokens.token()).toBe(grant.accessToken);
  expect(api.refresh).not.toHaveBeenCalled();
});

it('refreshes once for many requests, and never in two tabs at a time', async () => {
  const { tokens, api, tabs } = someTokens();
  tokens.set(aGrant({ expiresAt: Date.now() + 5_000 }));
  api.refresh.mockResolvedValue(aGrant({ accessToken: 'new' }));
  const all = await Promise.all([tokens.token(), tokens.token(), tokens.token()]);
  expect(all).toEqual(['new', 'new', 'new']);
  expect(api.refresh).toHaveBeenCalledTimes(1);
  expect(tabs.oneAtATime).toHaveBeenCalledWith('refresh', expect.any(Function));
});

it('replaces a refused token before it expires', async () => {
  const { tokens, api } = someTokens();
  tokens.set(aGrant({ accessToken: 'refused' }));
  api.refresh.mockResolvedValueOnce(aGrant({ accessToken: 'new' }));
  expect(await tokens.token('refused')).toBe('new');
});

it('renews an expired token when the page becomes visible', async () => {
  const { tokens, api } = someTokens();
  tokens.set(aGrant());
  jest.setSystemTime(Date.now() + 8 * 3_600_000);
  tokens.wakeUp();
  expect(api.refresh).toHaveBeenCalledTimes(1);
});

it('keeps the session and retries with growing pauses when a refresh fails', async () => {
  const { tokens, api, owner } = someTokens();
  tokens.set(aGrant());
  api.refresh.mockRejectedValue(new Error('offline'));
  await jest.advanceTimersByTimeAsync(540_000);
  for (const [tries, pause] of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000].entries()) {
    expect(api.refresh).toHaveBeenCalledTimes(tries + 1);
    expect(api.refresh).toHaveBeenLastCalledWith(tries > 0);
    await jest.advanceTimersByTimeAsync(pause - 1);
    expect(api.refresh).toHaveBeenCalledTimes(tries + 1);
    await jest.advanceTimersByTimeAsync(1);
  }
  expect(owner.onSessionLost).not.toHaveBeenCalled();

  api.refresh.mockImplementationOnce(async () => aGrant());
  await jest.advanceTimersByTimeAsync(60_000);
  expect(owner.onGrant).toHaveBeenCalledTimes(2);
  const before = api.refresh.mock.calls.length;
  await jest.advanceTimersByTimeAsync(540_000 + 2_000);
  expect(api.refresh).toHaveBeenCalledTimes(before + 2);
});

it.each([
  ['a returning player', true],
  ['a first visitor', false],
])('retries a failed first refresh for %s: %s', async (_, known) => {
  const { tokens, api } = someTokens();
  if (known) lastPlayer.set(ada);
  api.refresh.mockRejectedValueOnce(new Error('lost'));
  await expect(tokens.refresh()).rejects.toThrow('lost');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(api.refresh).toHaveBeenCalledTimes(known ? 2 : 1);
});

it('ignores an answer that arrives after the sign-out', async () => {
  const { tokens, api, owner } = someTokens();
  let answer: (grant: ReturnType<typeof aGrant>) => void = () => undefined;
  api.refresh.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const refreshed = tokens.refresh();
  await jest.advanceTimersByTimeAsync(0);
  tokens.clear();
  answer(aGrant());
  await refreshed;
  expect(owner.onGrant).not.toHaveBeenCalled();
  expect(await tokens.token()).toBeNull();
});
