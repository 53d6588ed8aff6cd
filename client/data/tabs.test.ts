import { afterEach, expect, it, jest } from '@jest/globals';
import { oneAtATime } from './tabs.js';

function installLocks(request: LockManager['request']): void {
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
}
afterEach(() => void Reflect.deleteProperty(navigator, 'locks'));

it.each([
  ['has no locks', () => undefined],
  ['rejects a lock', () => installLocks(() => Promise.reject(new DOMException('denied', 'SecurityError')))],
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
