import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { type Server, sharedServer, startServer } from '../../support/server.js';
import { aSignedInVisitor, FROM_PAGE, type SignedInUser, Visitor } from '../../support/visitor.js';

const FRIEND = 'https://app.example.org';

let server: Server;
let https: Server;
let player: Visitor & { user: SignedInUser; accessToken: string };
beforeAll(async () => {
  [server, https] = await Promise.all([
    sharedServer(),
    startServer({ env: { PUBLIC_ORIGIN: 'https://play.example.org', CORS_ORIGINS: FRIEND } }),
  ]);
  player = await aSignedInVisitor(server);
});
afterAll(async () => {
  await https.remove();
  await server.remove();
});

/** Sends a request without the headers that fetch adds: `Sec-Fetch-Mode` and those about caches. */
async function plain(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  return response.resume();
}

const statsOf = async (visitor: Visitor) => (await visitor.api(`/api/player/stats?userId=${visitor.user!.id}`)).json();

describe("Somebody else's stats (IDOR)", () => {
  test("another player's id is 403 for GET and POST, and changes nothing", async () => {
    const victim = await aSignedInVisitor(server);
    const before = await statsOf(victim);
    for (const id of [victim.user.id, victim.user.id.toUpperCase(), randomUUID()]) {
      const read = await player.api(`/api/player/stats?userId=${id}`);
      const write = await player.postJson('/api/player/stats', { userId: id, result: 'lose', difficulty: 'easy' });
      expect([read.status, write.status]).toEqual([403, 403]);
      // The answer does not reveal whether the player exists.
      const said = await read.text();
      expect(said).toContain('somebody else');
      expect(said).toBe(await write.text());
    }
    expect(await statsOf(victim)).toEqual(before);
  });

  test("two ids are 400, even with one's own among them", async () => {
    const [own, other] = [player.user.id, (await aSignedInVisitor(server)).user.id];
    for (const query of [`userId=${own}&userId=${other}`, `userId[]=${other}`, `userId=${own},${other}`]) {
      expect((await player.api(`/api/player/stats?${query}`)).status).toBe(400);
    }
    // Unknown keys are ignored: the answer is about the player who asks.
    await player.postJson('/api/player/stats', { userId: own, result: 'win', difficulty: 'easy' });
    const read = await player.api(`/api/player/stats?userId[]=${other}&userId=${own}&user_id=${other}`);
    expect(await read.json()).toEqual(await statsOf(player));
    const body = `{"userId":"${own}","userId":"${other}","result":"win","difficulty":"easy"}`;
    const headers = { 'content-type': 'application/json' };
    expect((await player.api('/api/player/stats', { method: 'POST', headers, body })).status).toBe(403);
  });

  test('GraphQL has no argument for another player', async () => {
    const other = await aSignedInVisitor(server);
    for (const query of [
      `{ me { stats(playerId: "${other.user.id}") { score } } }`,
      `{ me(id: "${other.user.id}") { email } }`,
    ]) {
      expect((await player.postJson('/graphql', { query })).status).toBe(400);
    }
  });

  test('the public leaderboard shows no email address', async () => {
    await player.postJson('/api/player/stats', { userId: player.user.id, result: 'win', difficulty: 'easy' });
    const board = await (await fetch(`${server.origin}/api/leaderboard`)).text();
    expect(board).toContain(player.user.id);
    expect(board).not.toContain('@');
    expect((await player.postJson('/graphql', { query: '{ leaderboard { email } }' })).status).toBe(400);
  });
});

describe('GraphQL CSRF', () => {
  const URQL = {
    accept:
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  };

  test('a mutation by GET is 405', async () => {
    const mutation = encodeURIComponent('mutation { startGame(difficulty: easy) { token } }');
    for (const headers of [new Headers({ 'apollo-require-preflight': 'yes' }), new Headers(URQL), new Headers()]) {
      const answer = await player.api(`/graphql?query=${mutation}`, { headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test.each<[string, Record<string, string>]>([
    ['a GraphQL client', URQL],
    ['a script of our own page', { ...URQL, origin: 'https://play.example.org', 'sec-fetch-mode': 'cors' }],
    ['a script of a listed origin', { ...URQL, origin: FRIEND, 'sec-fetch-mode': 'cors' }],
    ['curl', { accept: '*/*' }],
    ['a picture of another site', { origin: 'https://evil.example', 'sec-fetch-mode': 'no-cors' }],
    ['a script of another site', { origin: 'https://evil.example', 'sec-fetch-mode': 'cors' }],
  ])('a query by GET is answered to %s, and only our own and listed origins may read it', async (_what, headers) => {
    const response = await plain(`${https.origin}/graphql?query={__typename}`, headers);
    expect(response.statusCode).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(headers.origin === FRIEND ? FRIEND : undefined);
    expect(response.headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  test('the refresh cookie alone signs nobody in', async () => {
    const cookie = await player.sessionCookie();
    const thief = new Visitor(server);
    const response = await thief.postJson('/graphql', { query: '{ me { id } }' }, { cookie, ...FROM_PAGE });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  test.each(['https://evil.example', 'null', 'http://localhost', 'https://localhost:3000'])(
    'a page of the origin %s gets no socket',
    async (origin) => {
      const url = `${server.origin.replace('http', 'ws')}/graphql`;
      const socket = new WebSocket(url, 'graphql-transport-ws', { origin });
      const end = await once(socket, 'open').then(
        () => 'opened',
        (error: Error) => error.message,
      );
      socket.terminate();
      expect(end).toContain('403');
    },
  );
});

describe('GraphQL cost', () => {
  const alias = (index: number) => `a${index}: __typename`;
  const ATTACKS: [string, object][] = [
    ['depth 50', { query: `{ leaderboard ${'{ name '.repeat(50)}${'}'.repeat(50)} }` }],
    ['1,000 aliases', { query: `{ ${Array.from({ length: 1000 }, (_, index) => alias(index)).join(' ')} }` }],
    ['1,000 directives', { query: `{ leaderboard { name ${'@include(if: true) '.repeat(1000)} } }` }],
    [
      '300 aliases, in few enough words',
      { query: `{ ${Array.from({ length: 300 }, (_, index) => alias(index)).join(' ')} }` },
    ],
    ['40 directives, in few enough words', { query: `{ leaderboard { name ${'@include(if: true) '.repeat(40)} } }` }],
    ['a query of 1 MB', { query: `{ leaderboard { name } } #${'x'.repeat(1_000_000)}` }],
    ['variables of 1 MB', { query: '{ __typename }', variables: { a: 'x'.repeat(1_000_000) } }],
    ['circular fragments', { query: '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }' }],
    ['a batch', [{ query: '{ __typename }' }, { query: '{ __typename }' }]],
  ];

  test.each(ATTACKS)('rejects %s at once', async (_what, body) => {
    const response = await player.postJson('/graphql', body);
    expect([400, 413]).toContain(response.status);
    expect(await response.json()).not.toHaveProperty('data');
  });

  test('others are answered while all of these arrive five times at once', async () => {
    const attacks = Array.from({ length: 5 }).flatMap(() =>
      ATTACKS.map(([, body]) => player.postJson('/graphql', body)),
    );
    const others = Array.from({ length: 20 }, () => fetch(`${server.origin}/api/leaderboard`));
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([200]));
    for (const { status } of await Promise.all(attacks)) expect([400, 413]).toContain(status);
    expect((await fetch(`${server.origin}/health/ready`)).status).toBe(200);
  });
});

describe('Input', () => {
  test('unknown fields are rejected, also __proto__ and its like', async () => {
    const right = `"userId":"${player.user.id}","result":"win","difficulty":"easy"`;
    const before = await statsOf(player);
    for (const more of [
      '"score":100',
      '"__proto__":{"admin":true}',
      '"constructor":{"prototype":{}}',
      '"toString":1',
    ]) {
      const headers = { 'content-type': 'application/json' };
      const body = `{${right},${more}}`;
      expect((await player.api('/api/player/stats', { method: 'POST', headers, body })).status).toBe(400);
    }
    expect(await statsOf(player)).toEqual(before);
  });

  test.each([
    '/nothing',
    '/api/nothing',
    '/api',
    '/api/',
    '/api/player',
    '/api/../api/x',
    '/api/%2e%2e/env',
    '/api/player/stats/7',
  ])('%s is a JSON 404', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await fetch(server.origin + path, { method });
      expect([method, response.status]).toEqual([method, 404]);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await response.json()).toMatchObject({ error: 'There is nothing at this address.' });
    }
  });
});

describe('CORS', () => {
  const preflight = (to: Server, origin: string, path: string) =>
    fetch(to.origin + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
  const PATHS = ['/graphql', '/api/player/stats', '/auth/refresh', '/auth/token'];

  test('every origin may read what is public, without a token', async () => {
    const path = '/api/leaderboard';
    const headers = { origin: 'https://evil.example' };
    const answers = [
      await fetch(server.origin + path, { headers }),
      await fetch(server.origin + path, {
        method: 'OPTIONS',
        headers: { ...headers, 'access-control-request-method': 'GET' },
      }),
    ];
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    expect(answers[1]!.headers.get('access-control-allow-headers')).toBe('If-None-Match');
    expect((await preflight(server, headers.origin, path)).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('other origins get no Access-Control-Allow-Origin', async () => {
    for (const path of PATHS) {
      for (const origin of ['https://evil.example', 'null', FRIEND, server.origin.replace('http:', 'https:')]) {
        const answers = [
          await preflight(server, origin, path),
          await fetch(server.origin + path, { headers: { origin } }),
        ];
        for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });

  test('a listed origin gets it without cookies, and the session endpoints still reject that origin', async () => {
    for (const path of PATHS) {
      for (const origin of ['https://evil.example', 'null', `${FRIEND}.evil.example`, 'https://evil-app.example.org']) {
        expect((await preflight(https, origin, path)).headers.get('access-control-allow-origin')).toBeNull();
      }
      const { headers } = await preflight(https, FRIEND, path);
      expect(headers.get('access-control-allow-origin')).toBe(FRIEND);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain('x-requested-with');
      expect(headers.get('vary')).toContain('Origin');
    }
    const refresh = await fetch(`${https.origin}/auth/refresh`, {
      method: 'POST',
      headers: { ...FROM_PAGE, origin: FRIEND },
    });
    expect(refresh.status).toBe(403);
  });

  test('a listed origin may send and read the headers of GraphQL clients, caches and traces', async () => {
    const asked = [
      ...['apollo-require-preflight', 'x-apollo-operation-name', 'traceparent', 'if-none-match', 'idempotency-key'],
      ...['apollographql-client-name', 'apollographql-client-version', 'authorization', 'content-type'],
    ];
    for (const path of PATHS) {
      const { status, headers } = await preflight(https, FRIEND, path);
      const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(',');
      expect([status, asked.filter((header) => !allowed?.includes(header))]).toEqual([204, []]);
    }
    const { headers } = await fetch(`${https.origin}/api/leaderboard`, { headers: { origin: FRIEND } });
    expect(headers.get('access-control-expose-headers')).toBe(
      'ETag,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id',
    );
    const known = { origin: FRIEND, 'if-none-match': headers.get('etag')! };
    const again = await plain(`${https.origin}/api/leaderboard`, known);
    expect([again.statusCode, again.headers['access-control-allow-origin']]).toEqual([304, FRIEND]);
  });
});
