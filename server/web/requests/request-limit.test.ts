import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import type { Refusal, Refusals } from '../answers/refusals.js';
import type { RequestAllowance } from './request-allowance.js';
import { beginRequest } from './request-context.js';
import { requestLimit } from './request-limit.js';

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
