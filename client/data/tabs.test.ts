import { afterEach, expect, it, jest } from '@jest/globals';
import { createTabs, oneAtATime } from './tabs.js';

function installLocks(request: LockManager['request']): void {
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
}
afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
});

const denied = new DOMException('denied', 'SecurityError');

it.each([
  ['has no locks', () => undefined],
  ['rejects a lock', () => installLocks(() => Promise.reject(denied))],
  [
    'denies its locks',
    () =>
      Object.defineProperty(navigator, 'locks', {
        get: () => {
          throw denied;
        },
        configurable: true,
      }),
  ],
])('does the work where the browser %s', async (_, prepare) => {
  prepare();
  expect(await oneAtATime('work', async () => 'done')).toBe('done');
});

it('does not repeat work that has failed', async () => {
  installLocks((async (_name: string, work: () => Promise<unknown>) => work()) as LockManager['request']);
  const work = jest.fn(() => Promise.reject(new Error('failed')));
  await expect(oneAtATime('work', work)).rejects.toThrow('failed');
  expect(work).toHaveBeenCalledTimes(1);
});

it('tells nobody where the browser denies channels', () => {
  Object.assign(globalThis, {
    BroadcastChannel: class {
      constructor() {
        throw denied;
      }
    },
  });
  const tabs = createTabs();
  tabs.onMessage(() => undefined);
  expect(() => tabs.broadcast('signed in')).not.toThrow();
});
