import { expect, test } from '@jest/globals';
import { Env } from './env.js';
import { Keys } from './keys.js';

const keysOf = (...authSecrets: string[]) => new Keys(Object.assign(new Env(), { authSecrets }));
const NEW = 'n'.repeat(32);
const OLD = 'o'.repeat(32);

test('keys differ by purpose and by secret, and are the same every time', () => {
  const keys = keysOf(NEW, OLD);
  const all = [...keys.keysFor('ticket'), ...keys.keysFor('refresh-token')].map((key) => key.join());
  expect(new Set(all).size).toBe(4);
  expect(keysOf(NEW).keysFor('ticket')[0]).toEqual(keys.keysFor('ticket')[0]);
  expect(keysOf(OLD).keysFor('ticket')[0]).toEqual(keys.keysFor('ticket')[1]);
});
