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

/** Ada has been here before; now the page is opened and the server cannot be reached. */
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

it('Who was signed in is still known, without address and without a token', async () => {
  const { session } = await openedWithoutNetwork();
  expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: { ...ada, email: null } });
  expect(await session.token()).toBeNull();
  expect(JSON.stringify(localStorage)).not.toContain('ada@example.com');
  expect(JSON.stringify(localStorage)).not.toContain('token-');
});

it('The first request after the network is back finds a session', async () => {
  const { session, api } = await openedWithoutNetwork();
  api.refresh.mockImplementation(async () => aGrant({ accessToken: 'new' }));
  expect(await session.token()).toBe('new');
  expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
});

it('When the browser says that the network is back, the session is there before anything is asked for', async () => {
  const { session, api } = await openedWithoutNetwork();
  api.refresh.mockImplementation(async () => aGrant());
  window.dispatchEvent(new Event('online'));
  await jest.advanceTimersByTimeAsync(0);
  expect(session.getSnapshot().player).toEqual(ada);
});

it('Who has been signed out elsewhere meanwhile is signed out and forgotten', async () => {
  const { session, api } = await openedWithoutNetwork();
  api.refresh.mockResolvedValue(null);
  expect(await session.token()).toBeNull();
  expect(session.getSnapshot().phase).toBe('signed out');
  expect(session.wasSignedIn).toBe(false);
});

it('A server that takes too long keeps nobody from practising', async () => {
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

it('Signing out forgets the player', async () => {
  const { session, api } = await openedWithoutNetwork();
  api.refresh.mockImplementation(async () => aGrant());
  await session.token();
  await session.signOut();
  expect(session.wasSignedIn).toBe(false);
  expect(localStorage.getItem('tic-tac-toe.player')).toBeNull();
});
