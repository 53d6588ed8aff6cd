import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Clock } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { RequestAllowance } from './allowance.js';

const ADDRESS = '203.0.113.1';
const allowanceOf = (requestsPerMinute: number) =>
  new RequestAllowance(Object.assign(new Env(), { requestsPerMinute }), new Clock());

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** How many of so many requests of one point are granted, one after the other. */
function granted(allowance: RequestAllowance, address: string, requests: number): number {
  let count = 0;
  for (let sent = 0; sent < requests; sent++) if (allowance.spend({ address }) === undefined) count += 1;
  return count;
}

test('a refused request costs the neighbours nothing', () => {
  const allowance = allowanceOf(2);
  granted(allowance, '2001:db8:1:1::', 50);
  expect(granted(allowance, '2001:db8:1:2::', 50)).toBe(2);
});

test('a personal token is charged for all of its request, also for what comes before and after it is known', () => {
  const allowance = allowanceOf(40);
  const spender = { address: ADDRESS };
  allowance.spend(spender, 4);
  allowance.spendOfToken(spender, 'one');
  expect(spender).toMatchObject({ spent: 4, remaining: 6 });
  allowance.spend(spender, 3);
  expect(spender).toMatchObject({ spent: 7, remaining: 3 });
});
