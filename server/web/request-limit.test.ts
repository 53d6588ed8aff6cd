import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import type { Refusal, Refusals } from './refusals.js';
import type { RequestAllowance } from './request-allowance.js';
import { requestLimit } from './request-limit.js';

/** Sends one request through the limit; `spend` stands for the allowance. */
async function send(spend: RequestAllowance['spend'], request: Partial<Request> = {}) {
  const noted: Refusal[] = [];
  const refusals = { note: (refusal: Refusal) => void noted.push(refusal) } as Refusals;
  const answer: { status?: number; headers: Record<string, string>; body?: unknown } = { headers: {} };
  const next = await new Promise<unknown[] | undefined>((resolve) => {
    const response = {
      status: (code: number) => Object.assign(response, void (answer.status = code)),
      setHeader: (name: string, value: string) => Object.assign(response, void (answer.headers[name] = value)),
      json: (body: unknown) => {
        answer.body = body;
        resolve(undefined);
      },
    };
    const handle = requestLimit({ spend } as RequestAllowance, refusals);
    const whole = { ip: '203.0.113.1', path: '/api/leaderboard', ...request } as Request;
    void handle(whole, response as unknown as Response, (...args: unknown[]) => resolve(args));
  });
  return { answer, next, noted };
}

const MESSAGE = 'Too many requests from this address. Try again in 7 seconds.';

test('a granted request goes on and is charged to its address', async () => {
  const charged: string[] = [];
  const spend = (address: string) => Promise.resolve(void charged.push(address));
  expect(await send(spend)).toEqual({ answer: { headers: {} }, next: [], noted: [] });
  await send(spend, { ip: undefined });
  expect(charged).toEqual(['203.0.113.1', '']);
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

test.each(['/graphql', '/graphql/'])(
  'a refused request to %s gets an error that GraphQL clients read',
  async (path) => {
    const { answer } = await send(() => Promise.resolve(7), { path });
    expect(answer.body).toEqual({ errors: [{ message: MESSAGE, extensions: { code: 'TOO_MANY_REQUESTS' } }] });
  },
);

test.each(['/graphql/x', '/api/graphql'])('a refused request to %s gets a plain error', async (path) => {
  const { answer } = await send(() => Promise.resolve(7), { path });
  expect(answer.body).toEqual({ error: MESSAGE, code: 'too_many_requests' });
});

test('a failure of the allowance goes to the error handler', async () => {
  const failure = new Error('broken');
  expect((await send(() => Promise.reject(failure))).next).toEqual([failure]);
});
