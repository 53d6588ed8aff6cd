import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { ada, aGrant, fakeDependencies } from '../testing/session.js';
import { Session } from './session.js';

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
});
afterEach(() => void jest.useRealTimers());

const unreachable = async () => Promise.reject(new TypeError('Failed to fetch'));

/** Opens the page of a returning player while the server cannot be reached. */
async function openedWithoutNetwork() {
  const before = fakeDependencies();
  before.api.refresh.mockImplementation(async () => aGrant());
  void new Session(before).start();
  await jest.advanceTimersByTimeAsync(0);

  const around = fakeDependencies();
  around.api.refresh.mockImplementation(unreachable);
  const session = new Session(around);
  void session.start();
  await jest.advanceTimersByTimeAsync(0);
  return { session, ...around };
}

it('loads the session at the first request after the network returns', async () => {
  const { session, api } = await openedWithoutNetwork();
  api.refresh.mockImplementation(async () => aGrant({ accessToken: 'new' }));
  expect(await session.token()).toBe('new');
  expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
});

it('loads the session when the network returns', async () => {
  const { session, api } = await openedWithoutNetwork();
  api.refresh.mockImplementation(async () => aGrant());
  window.dispatchEvent(new Event('online'));
  await jest.advanceTimersByTimeAsync(0);
  expect(session.getSnapshot().player).toEqual(ada);
});

it('signs out and forgets a player whose session ended elsewhere', async () => {
  const { session, api } = await openedWithoutNetwork();
  api.refresh.mockResolvedValue(null);
  expect(await session.token()).toBeNull();
  expect(session.getSnapshot().phase).toBe('signed out');
  expect(session.wasSignedIn).toBe(false);
});

it('lets the last player practise while the server does not answer', async () => {
  await openedWithoutNetwork();
  const slow = fakeDependencies();
  slow.api.refresh.mockImplementation(() => new Promise(() => undefined));
  const session = new Session(slow);
  void session.start();
  await jest.advanceTimersByTimeAsync(3000);
  expect(session.getSnapshot().phase).toBe('signed in');
  expect(console.warn).toHaveBeenCalledWith('Auth loading timeout');
  jest.mocked(console.warn).mockClear();
});
