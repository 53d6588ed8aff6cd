import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Env } from '../../settings/env.js';
import type { Refusal, Refusals } from '../answers/refusals.js';
import { RequestAllowance, requestLimit } from './request-allowance.js';
import { beginRequest } from './request-context.js';

const ADDRESS = '203.0.113.1';
const allowanceOf = (requestsPerMinute: number) =>
  new RequestAllowance(Object.assign(new Env(), { requestsPerMinute }));

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** How many of so many requests of one point are granted, one after the other. */
async function granted(allowance: RequestAllowance, address: string, requests: number): Promise<number> {
  let count = 0;
  for (let sent = 0; sent < requests; sent++) if ((await allowance.spend(address)) === undefined) count += 1;
  return count;
}

test('an address has its points for a minute, and then again', async () => {
  const allowance = allowanceOf(3);
  expect(await granted(allowance, ADDRESS, 5)).toBe(3);
  jest.advanceTimersByTime(59_000);
  expect(await granted(allowance, ADDRESS, 1)).toBe(0);
  jest.advanceTimersByTime(1_000);
  expect(await granted(allowance, ADDRESS, 5)).toBe(3);
});

test('a refusal gives the whole seconds until the address may ask again, rounded up', async () => {
  const allowance = allowanceOf(1);
  expect(await allowance.spend(ADDRESS)).toBeUndefined();
  expect(await allowance.spend(ADDRESS)).toBe(60);
  jest.advanceTimersByTime(58_500);
  expect(await allowance.spend(ADDRESS)).toBe(2);
});

test('an operation takes as many points as its cost', async () => {
  const allowance = allowanceOf(10);
  expect(await allowance.spend(ADDRESS, 8)).toBeUndefined();
  expect(await granted(allowance, ADDRESS, 5)).toBe(2);
});

test('one address does not spend the points of another', async () => {
  const allowance = allowanceOf(2);
  expect(await granted(allowance, ADDRESS, 5)).toBe(2);
  expect(await granted(allowance, '203.0.113.2', 5)).toBe(2);
});

describe('of IPv6', () => {
  test('a network of 64 bits has the points once, of 56 bits twice, of 48 bits four times', async () => {
    const all = async (addresses: string[]) => {
      const allowance = allowanceOf(5);
      let count = 0;
      for (const address of addresses) count += await granted(allowance, address, 10);
      return count;
    };
    expect(await all(['2001:db8:1:1::1', '2001:db8:1:1::2'])).toBe(5);
    expect(await all(['2001:db8:1:1::', '2001:db8:1:2::', '2001:db8:1:3::'])).toBe(10);
    expect(await all(['100', '200', '300', '400', '500'].map((subnet) => `2001:db8:1:${subnet}::`))).toBe(20);
  });

  test('a refused request costs the neighbours nothing', async () => {
    const allowance = allowanceOf(2);
    await granted(allowance, '2001:db8:1:1::', 50);
    expect(await granted(allowance, '2001:db8:1:2::', 50)).toBe(2);
  });
});

test('without a limit every request is granted', async () => {
  expect(await granted(allowanceOf(0), ADDRESS, 100)).toBe(100);
});

/** Sends one request through the limit; `spend` stands for the allowance. */
async function send(spend: RequestAllowance['spend'], { url = '/api/leaderboard', address = '203.0.113.1' } = {}) {
  const noted: Refusal[] = [];
  const refusals = { note: (refusal: Refusal) => void noted.push(refusal) } as unknown as Refusals;
  const answer: { status?: number; headers: Record<string, unknown>; body?: unknown } = { headers: {} };
  const next = await new Promise<unknown[] | undefined>((resolve) => {
    const response = {
      setHeader: (name: string, value: string) => void (answer.headers[name] = value),
      writeHead: (status: number) => void (answer.status = status),
      end: (body: string) => {
        answer.body = JSON.parse(body);
        resolve(undefined);
      },
    };
    const handle = requestLimit({ spend } as RequestAllowance, refusals);
    const request = { url } as IncomingMessage;
    beginRequest(request, address);
    handle(request, response as unknown as ServerResponse, (...args) => resolve(args));
  });
  return { answer, next, noted };
}

const MESSAGE = 'Too many requests from this address. Try again in 7 seconds.';

test('a granted request goes on and is charged to its address', async () => {
  const charged: string[] = [];
  const spend = (address: string) => Promise.resolve(void charged.push(address));
  expect(await send(spend)).toEqual({ answer: { headers: {} }, next: [], noted: [] });
  await send(spend, { address: '203.0.113.2' });
  expect(charged).toEqual(['203.0.113.1', '203.0.113.2']);
});

test('rejects with 429 and Retry-After, and closes the connection', async () => {
  const { answer, next, noted } = await send(() => Promise.resolve(7));
  expect(answer).toEqual({
    status: 429,
    headers: { 'Retry-After': '7', Connection: 'close' },
    body: { error: MESSAGE, code: 'too_many_requests' },
  });
  expect(next).toBeUndefined();
  expect(noted).toEqual([{ event: 'refused', status: 429, code: 'too_many_requests' }]);
});

test.each(['/graphql', '/graphql/'])('a refused request to %s gets an error that GraphQL clients read', async (url) => {
  const { answer } = await send(() => Promise.resolve(7), { url });
  expect(answer.body).toEqual({ errors: [{ message: MESSAGE, extensions: { code: 'TOO_MANY_REQUESTS' } }] });
});

test.each(['/graphql/x', '/api/graphql'])('a refused request to %s gets a plain error', async (url) => {
  const { answer } = await send(() => Promise.resolve(7), { url });
  expect(answer.body).toEqual({ error: MESSAGE, code: 'too_many_requests' });
});

test('a failure of the allowance goes to the error handler', async () => {
  const failure = new Error('broken');
  expect((await send(() => Promise.reject(failure))).next).toEqual([failure]);
});
