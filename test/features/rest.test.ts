import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { aServer, emptyLeaderboard } from '../support/server.js';
import { aSignedInVisitor, personalTokenOf, Visitor } from '../support/visitor.js';

const server = aServer();
let player: Awaited<ReturnType<typeof aSignedInVisitor>>;
let reader: string;
beforeAll(async () => {
  player = await aSignedInVisitor(server);
  reader = await personalTokenOf(player, 'games_read');
});

const STATS = '/api/player/stats';
const BOARD = '/api/leaderboard';

const zeros = { score: 0, win_streak: 0, wins: 0, losses: 0, draws: 0, easyWins: 0, mediumWins: 0, hardWins: 0 };

async function report(visitor: Visitor, body: object, headers: Record<string, string> = {}) {
  const response = await visitor.postJson(STATS, { userId: visitor.user!.id, ...body }, headers);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the stats of a player', () => {
  test('are zeros before the first game, and then count reports by the scoring rules, which count for no week and no badge', async () => {
    const newcomer = await aSignedInVisitor(server);
    const read = () => newcomer.api(`${STATS}?userId=${newcomer.user.id}&_=1&__proto__=2`);
    const first = await read();
    expect([first.status, first.headers.get('cache-control'), await first.json()]).toEqual([200, 'no-store', zeros]);
    const after = async (result: string, difficulty: string) => (await report(newcomer, { result, difficulty })).body;

    expect(await after('lose', 'easy')).toEqual({ ...zeros, score: -1, losses: 1 });
    expect(await after('win', 'easy')).toMatchObject({ score: 0, win_streak: 1, wins: 1, easyWins: 1 });
    expect(await after('draw', 'hard')).toMatchObject({ score: 0, win_streak: 0, draws: 1 });
    expect(await after('win', 'medium')).toMatchObject({ score: 1, win_streak: 1, mediumWins: 1 });
    expect(await after('win', 'hard')).toMatchObject({ score: 2, win_streak: 2, hardWins: 1 });
    const last = await after('win', 'easy');
    const wins = { wins: 4, easyWins: 2, mediumWins: 1, hardWins: 1 };
    expect(last).toEqual({ score: 4, win_streak: 0, losses: 1, draws: 1, ...wins });
    expect(await (await read()).json()).toEqual(last);
    const { data } = await newcomer.graphql(`{ me {
      achievements { badges hardDraws bestHardDrawsInARow } week { rank }
      games(first: 1) { edges { node { source seed moves { square } } } }
    } }`);
    const reported = { source: 'reported', seed: null, moves: null };
    const achievements = { badges: [], hardDraws: 0, bestHardDrawsInARow: 0 };
    expect(data).toEqual({ me: { achievements, week: null, games: { edges: [{ node: reported }] } } });
  });

  test('count a repeated Idempotency-Key once, refuse it with another result, and keep the keys of players apart', async () => {
    const [one, other] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
    const [key, win] = [{ 'idempotency-key': 'a-1' }, { result: 'win', difficulty: 'easy' }];
    const first = await report(one, win, key);
    expect(await report(one, win, key)).toEqual(first);
    expect((await report(one, win, { 'idempotency-key': 'a-2' })).body).toMatchObject({ wins: 2 });
    const changed = await report(one, { ...win, result: 'lose' }, key);
    expect(changed).toMatchObject({ status: 422, body: { code: 'key_of_another_request' } });
    expect(await report(other, { ...win, result: 'lose' }, key)).toMatchObject({ status: 200 });
  });
});

test('the leaderboard has ten players by default, and as many as the limit says', async () => {
  const top = async (query = '') => (await (await fetch(`${server.origin}${BOARD}${query}`)).json()) as object[];
  await emptyLeaderboard(server);
  expect(await top()).toEqual([]);
  const first = await aSignedInVisitor(server, { name: 'First' });
  await report(first, { result: 'win', difficulty: 'easy' });
  for (let others = 0; others < 11; others++) {
    await report(await aSignedInVisitor(server), { result: 'draw', difficulty: 'easy' });
  }
  expect(await top()).toHaveLength(10);
  expect(await top('?limit=100')).toHaveLength(12);
  expect(await top('?limit=11&_=1&cache=no')).toHaveLength(11);
  const { id } = first.user;
  const picture = `${server.origin}/avatar/${id}.svg`;
  expect(await top('?limit=1')).toEqual([
    { user_id: id, name: 'First', picture, score: 1, wins: 1, losses: 0, draws: 0, total_games: 1 },
  ]);
});

type Asked = RequestInit & { path: string; headers?: Record<string, string> };
type Mistake = [what: string, asked: () => Asked, sentence: string];

const get = (path: string) => () => ({ path });
const by = (authorization: () => string, path = STATS) => {
  return () => ({ path, headers: { authorization: authorization() } });
};
const post = (body: unknown, headers: Record<string, string> = {}) => {
  const sent = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
  const all = { 'content-type': 'application/json', ...headers };
  return () => ({ path: STATS, method: 'POST', headers: all, body: sent });
};
/** A report of the player, with a change. */
const reported = (change: object, headers = {}) => {
  return () => post({ userId: player.user.id, result: 'win', difficulty: 'easy', ...change }, headers)();
};
const ofType = (type: string) => post('{}', { 'content-type': type });
const keyed = (key: string) => reported({}, { 'idempotency-key': key });

const ANOTHER = '7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e';
const DESCRIBED = 'userId must be the id of the signed-in player, as { me { id } } at /graphql tells it';
const NOT_VALID = 'the body must be a JSON object.';
const LIMIT = 'limit must be a whole number from 1 to 100';

/** What a program may get wrong, by the status and the code of the answer. */
const MISTAKES: Readonly<Record<string, readonly Mistake[]>> = {
  '401 unauthenticated': [
    ['no token', by(() => ''), 'Sign in, or send a token from /playground.'],
    ['a token without Bearer', by(() => reader), 'the word Bearer, a space and a token'],
    ['another scheme', by(() => `Basic ${reader}`), 'the word Bearer'],
    ['two tokens', by(() => `Bearer ${reader} ${reader}`), 'the word Bearer'],
    ['a garbled access token', by(() => 'Bearer abc'), 'not valid or has expired'],
  ],
  '401 token_unknown': [
    ['a cut token', by(() => `Bearer ${reader.slice(0, -1)}`), 'Check that it is complete'],
    ['a mistyped token', by(() => `Bearer ${reader}0`), 'not a token of this server'],
  ],
  '400 token_in_address': [
    ['a token', () => ({ path: `${STATS}?token=${reader}` }), 'Send tokens in the header Authorization'],
  ],
  '403 insufficient_scope': [['a token', by(() => `Bearer ${reader}`), 'the scope stats:read. Yours has: games:read.']],
  '403 token_not_accepted': [
    ['a token', by(() => `Bearer ${reader}`, '/api/account/export'), 'needs a sign-in in the browser'],
  ],
  '403 other_player': [['another player', get(`${STATS}?userId=${ANOTHER}`), 'this one belongs to somebody else']],
  '415 unsupported_media_type': [
    ['a form', ofType('application/x-www-form-urlencoded'), 'Send JSON with the header Content-Type: application/json'],
    ['text', ofType('text/plain'), 'Content-Type: application/json'],
    ['another charset', ofType('application/json; charset=latin1'), 'JSON in UTF-8'],
    ['UTF-16', ofType('application/json; charset="utf-16"'), 'JSON in UTF-8'],
    ['a body that is not UTF-8', post(Buffer.from('{"userId":"\xff"}', 'latin1')), 'JSON in UTF-8'],
    ['a compressed body', post({}, { 'content-encoding': 'gzip' }), 'without compression'],
  ],
  '400 bad_request': [
    ['no userId', get(STATS), `userId is missing. ${DESCRIBED}`],
    ['an empty userId', get(`${STATS}?userId=`), DESCRIBED],
    ['a wrong userId', get(`${STATS}?userId=7`), `userId is no id of a player. ${DESCRIBED}`],
    ['a list as the userId', get(`${STATS}?userId[]=a`), DESCRIBED],
    ['two userIds', () => ({ path: `${STATS}?userId=${player.user.id}&userId=${ANOTHER}` }), DESCRIBED],
    ['broken JSON', post('{'), NOT_VALID],
    ['a number as the body', post('7'), NOT_VALID],
    ['a list as the body', post([]), 'The body must be a JSON object with userId, result and difficulty'],
    ['an empty body', post({}), 'userId is missing'],
    ['an unknown field', reported({ score: 7 }), 'Unknown: score. The fields are: userId, result, difficulty'],
    ['a prototype', () => post(`{"__proto__":{},"userId":"${player.user.id}"}`)(), 'Unknown: __proto__'],
    ['a wrong result', reported({ result: 'won' }), 'result must be one of: win, lose, draw'],
    ['a wrong difficulty', reported({ difficulty: 'Hard' }), 'difficulty must be one of: easy, medium, hard'],
    ['an empty key', keyed(' '), '1 to 255 visible ASCII characters'],
    ['a long key', keyed('k'.repeat(256)), 'Idempotency-Key must be'],
    ['a key with a space', keyed('a b'), 'Idempotency-Key must be'],
    ['a key beyond ASCII', keyed('\u00fc'), 'Idempotency-Key must be'],
    ...['0', '101', '-1', '1.5', 'ten', '', '1e1', '%00', '10&limit=10'].map((limit): Mistake => [
      `the limit ${limit}`,
      get(`${BOARD}?limit=${limit}`),
      LIMIT,
    ]),
  ],
  '413 payload_too_large': [['17 kB', post({ result: 'x'.repeat(17_000) }), 'the limit is 16384 bytes']],
  '404 not_found': [['another address', get('/api/nothing'), 'There is nothing at this address.']],
};

const ROWS = Object.entries(MISTAKES).flatMap(([answer, rows]) => rows.map((row) => [answer, ...row] as const));

test.each(ROWS)('%s with %s says what to do', async (answer, _what, asked, sentence) => {
  const { path, ...init } = asked();
  const visitor = 'authorization' in (init.headers ?? {}) ? new Visitor(server) : player;
  const response = await visitor.api(path, init);
  const { error, code, ...more } = (await response.json()) as { error: string; code: string };
  expect([`${response.status} ${code}`, error, more]).toEqual([answer, expect.stringMatching(/\.$/), {}]);
  expect(error).toContain(sentence);
  if (response.status === 401) expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  // A sentence is said once.
  const sentences = error.slice(0, -1).split('; ');
  expect(sentences).toEqual([...new Set(sentences)]);
});

test('JSON of any spelling of UTF-8 is read, and a wrong day is said once in GraphQL', async () => {
  for (const charset of ['utf8', 'UTF-8', '"utf-8"', 'Utf8', ' "UTF8" ; version=1']) {
    const type = { 'content-type': `application/json; charset=${charset}` };
    const response = await player.postJson('/graphql', { query: '{ me { name } }' }, type);
    expect([charset, await response.json()]).toMatchObject([charset, { data: { me: { name: expect.any(String) } } }]);
  }
  const { errors } = await player.graphql('{ challenge(day: "2026-02-30") { players } }');
  expect(errors?.[0]?.message).toBe('day must be a UTC day such as 2026-11-22.');
});

describe('other addresses', () => {
  test.each([
    ['DELETE', '/api/leaderboard', 'GET, HEAD'],
    ['PUT', '/api/player/stats', 'GET, HEAD, POST'],
    ['POST', '/health/ready', 'GET, HEAD'],
    ['POST', '/auth/google', 'GET, HEAD'],
    ['GET', '/auth/token', 'POST'],
    ['DELETE', '/auth/signout', 'POST'],
    ['POST', '/auth/callback', 'GET, HEAD'],
    ['POST', '/avatar/7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e.svg', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/playground/', 'GET, HEAD'],
    ['QUERY', '/api/player/stats', 'GET, HEAD, POST'],
  ])('%s %s is a JSON 405 that allows %s', async (method, path, allowed) => {
    const response = await fetch(server.origin + path, { method, headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
    expect(await response.json()).toMatchObject({
      error: expect.stringContaining(allowed),
      code: 'method_not_allowed',
    });
  });

  test.each([
    ['/nothing', 404],
    ['/api/leaderboard', 405],
  ])('broken JSON to %s is %i, as any body', async (path, status) => {
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(server.origin + path, { method: 'PUT', headers, body: '{' })).status).toBe(status);
  });

  test('a page and a file have one spelling, a route any case', async () => {
    const statusOf = async (path: string) => (await fetch(server.origin + path, { redirect: 'manual' })).status;
    for (const path of [
      '/',
      '/playground',
      '/moderation/',
      '/auth/callback',
      '/favicon.svg',
      '/favicon%2Esvg',
      '/d/x',
      '/p/x',
    ])
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    for (const path of ['/Playground', '/auth/Callback', '/auth/callback/', '/Favicon.svg', '/favicon.svg/', '/D/x'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    expect([await statusOf('/API/Leaderboard/'), await statusOf('/api/%6ceaderboard')]).toEqual([200, 404]);
  });

  test('a browser at an unknown address gets a page with a link to the game, which may load only its style', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/nothing', '/graphql/nothing', '/assets/gone.js', '/avatar/x.svg', '/%']) {
      const response = await fetch(server.origin + path, { headers });
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const page = await response.text();
      expect(page).toContain('<a class="button" href="/">Back to the game</a>');
      const [, style] = /<style>([^]*)<\/style>/.exec(page)!;
      const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style!).digest('base64')}'`;
      expect(response.headers.get('content-security-policy')).toContain(policy);
    }
    const api = await fetch(`${server.origin}/api/nothing`, { headers });
    expect(await api.json()).toMatchObject({ error: 'There is nothing at this address.' });
  });
});
