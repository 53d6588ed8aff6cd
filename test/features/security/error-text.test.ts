import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { type Server, startServer } from '../../support/server.js';
import { aSignedInVisitor, FROM_PAGE, type SignedInUser, Visitor } from '../../support/visitor.js';
import { INSIDE } from './inside.js';

const JSON_TYPE = { 'content-type': 'application/json' };

let server: Server;
let player: Visitor & { user: SignedInUser; accessToken: string };
beforeAll(async () => {
  server = await startServer({
    env: { REPORTED_RESULTS: 'reject', SIGN_INS_PER_MINUTE: '5', REPORTS_PER_MINUTE: '1' },
  });
  player = await aSignedInVisitor(server);
});
afterAll(() => server.remove());

const graphql = (query: unknown, variables = {}): [string, RequestInit] => [
  '/graphql',
  { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ query, variables }) },
];
const report = (body: string, type = 'application/json'): [string, RequestInit] => [
  '/api/player/stats',
  { method: 'POST', headers: { 'content-type': type }, body },
];

describe('Error text', () => {
  test.each<[string, number, () => [string, RequestInit?]]>([
    ['an unknown address', 404, () => ['/nothing']],
    ['an unknown file', 404, () => ['/assets/../../package.json']],
    ['a folder', 404, () => ['/assets/']],
    ['a broken address', 404, () => ['/%']],
    ['a NUL in an address', 404, () => ['/api/%00']],
    ['a wrong method', 405, () => ['/api/leaderboard', { method: 'PUT' }]],
    ['a wrong query', 400, () => ['/api/leaderboard?limit=%ff']],
    ['a wrong body', 400, () => report('{"userId":1}')],
    ['broken JSON', 400, () => report('{"userId":')],
    ['JSON of a value', 400, () => report('7')],
    ['a strange character set', 415, () => report('{}', 'application/json; charset=utf-7')],
    [
      'a strange compression',
      415,
      () => ['/api/player/stats', { method: 'POST', headers: { ...JSON_TYPE, 'content-encoding': 'x' }, body: '{}' }],
    ],
    [
      'a broken compression',
      415,
      () => [
        '/api/player/stats',
        { method: 'POST', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: randomBytes(40) },
      ],
    ],
    ['a large body', 413, () => report(`"${'x'.repeat(70_000)}"`)],
    [
      'what is not allowed',
      403,
      () => report(JSON.stringify({ userId: player.user.id, result: 'win', difficulty: 'easy' })),
    ],
    ['a wrong header', 403, () => ['/auth/refresh', { method: 'POST' }]],
    [
      'a session that is over',
      401,
      () => ['/auth/refresh', { method: 'POST', headers: { ...FROM_PAGE, cookie: 'refresh=x' } }],
    ],
    ['a wrong sign-in', 400, () => ['/auth/google?code_challenge=x']],
    [
      'a wrong exchange',
      400,
      () => ['/auth/token', { method: 'POST', headers: { ...FROM_PAGE, ...JSON_TYPE }, body: '[]' }],
    ],
    ['no GraphQL query', 400, () => graphql(undefined)],
    ['a query that is none', 400, () => graphql({ a: 1 })],
    ['a query that ends too soon', 400, () => graphql('{')],
    ['an unknown field', 400, () => graphql('{ nothing }')],
    ['an unknown operation', 400, () => graphql('query A { __typename } query B { __typename }')],
    ['a wrong variable', 400, () => graphql('query ($a: Int!) { leaderboard(limit: $a) { name } }', { a: 'ten' })],
    ['a wrong argument', 200, () => graphql('{ leaderboard(limit: 101) { name } }')],
    ['a wrong id', 200, () => graphql('{ game(playerId: "1 OR 1=1", id: "1 OR 1=1") { id } }')],
    ['a missing token', 200, () => graphql('{ me { id } }')],
    ['a persisted query', 200, () => ['/graphql?extensions={"persistedQuery":{"version":1,"sha256Hash":"a"}}']],
  ])('%s (%i) reveals nothing about the code', async (what, status, request) => {
    const [path, init] = request();
    const visitor = what === 'a missing token' ? new Visitor(server) : player;
    const response = await visitor.api(path, init);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/((graphql-response|problem)\+)?json/);
    const text = await response.text();
    expect(text).toMatch(/"(error|message)":"[^"]{8,}/);
    expect(text).not.toMatch(INSIDE);
  });

  test('nothing of a request comes back as markup or in a header', async () => {
    const markup = '<script>alert(1)</script>';
    for (const path of [
      `/${encodeURIComponent(markup)}`,
      `/api/leaderboard?limit=${encodeURIComponent(markup)}`,
      `/auth/google/callback?error=${encodeURIComponent(markup)}&state=x`,
      `/avatar/${encodeURIComponent(markup)}.svg`,
    ]) {
      const response = await new Visitor(server).fetch(path);
      expect(await response.text()).not.toContain('<script');
      expect(JSON.stringify([...response.headers])).not.toContain('script>');
    }
  });

  test('too many tries (429) reveal nothing about the code', async () => {
    let response: Response;
    for (let tries = 0; tries < 6; tries++) response = await new Visitor(server).exchange('guess', 'v');
    expect(response!.status).toBe(429);
    expect(await response!.text()).not.toMatch(INSIDE);
  });
});
