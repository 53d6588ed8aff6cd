import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { aServer } from '../../support/server.js';
import { behind, Visitor } from '../../support/visitor.js';

const server = aServer({ env: { TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: '6000' } });
const ADDRESS = '198.51.100.1';
const from = (address: string) => behind(new Visitor(server), address);

describe('The requests of a network that have no answer', () => {
  let open: ClientRequest[] = [];
  afterEach(() => {
    for (const request of open) request.destroy();
    open = [];
  });

  /** Begins a request whose body never comes. @returns the status if it is refused, once the server has begun with it */
  async function hold(bytes: number): Promise<number | undefined> {
    const request = httpRequest(`${server.origin}/graphql`, {
      method: 'POST',
      agent: false,
      headers: {
        'X-Forwarded-For': ADDRESS,
        'Content-Type': 'application/json',
        'Content-Length': bytes,
        Expect: '100-continue',
      },
    });
    open.push(request.on('error', () => undefined));
    let status: number | undefined;
    request.once('response', (answer) => (status = answer.statusCode));
    request.flushHeaders();
    await once(request, 'continue');
    // A refusal comes with the same piece of the connection.
    await new Promise(setImmediate);
    return status;
  }

  test.each([
    ['300 small ones', 300, 100],
    ['50 whose bodies take six places', 50, 16_000],
  ])('are %s at most, beside health checks and other networks', async (_what, most, bytes) => {
    for (let held = 0; held < most; held++) expect(await hold(bytes)).toBeUndefined();
    const refused = await from(ADDRESS).api('/api/leaderboard');
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '1',
      { error: 'Too many requests from this address at once. Try again in a second.', code: 'too_many_requests' },
    ]);
    expect((await from(ADDRESS).api('/health/ready')).status).toBe(200);
    expect((await from('198.51.100.2').api('/api/leaderboard')).status).toBe(200);
    // Each that ends gives its places back.
    const [first] = open.splice(0, 1);
    first!.destroy();
    while ((await from(ADDRESS).api('/api/leaderboard')).status !== 200) await new Promise(setImmediate);
  });
});
