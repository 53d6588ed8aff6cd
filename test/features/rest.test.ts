import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { removeData, type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

const zeros = { score: 0, win_streak: 0, wins: 0, losses: 0, draws: 0, easyWins: 0, mediumWins: 0, hardWins: 0 };

async function report(player: Visitor, body: object, headers: Record<string, string> = {}) {
  const response = await player.postJson('/api/player/stats', { userId: player.user!.id, ...body }, headers);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('GET /api/player/stats', () => {
  test('returns zeros for a player without a finished game', async () => {
    const player = await aSignedInVisitor(server);
    const response = await player.api(`/api/player/stats?userId=${player.user.id}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(zeros);
  });

  test('without a token is 401', async () => {
    const response = await new Visitor(server).fetch(`/api/player/stats?userId=${randomUUID()}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ error: 'Sign in first.' });
  });

  test.each(['', '?userId=', '?userId=7', '?userId[]=a', '?userId=a&userId=b'])(
    'with the query %j is 400',
    async (query) => {
      const player = await aSignedInVisitor(server);
      const response = await player.api(`/api/player/stats${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining('userId') });
    },
  );

  test('forbids caching and ignores other keys of the query', async () => {
    const player = await aSignedInVisitor(server);
    const read = await player.api(`/api/player/stats?userId=${player.user.id}&_=1&__proto__=2`);
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const body = { userId: player.user.id, result: 'draw', difficulty: 'easy' };
    const sent = await player.postJson('/api/player/stats', body);
    expect([sent.status, sent.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });
});

describe('POST /api/player/stats', () => {
  test('counts wins, losses and draws by the scoring rules', async () => {
    const player = await aSignedInVisitor(server);
    const after = async (result: string, difficulty: string) => (await report(player, { result, difficulty })).body;

    expect(await after('win', 'easy')).toEqual({ ...zeros, score: 1, win_streak: 1, wins: 1, easyWins: 1 });
    expect(await after('lose', 'hard')).toMatchObject({ score: 0, win_streak: 0, wins: 1, losses: 1 });
    expect(await after('draw', 'hard')).toMatchObject({ score: 0, win_streak: 0, draws: 1 });
    expect(await after('win', 'medium')).toMatchObject({ score: 1, win_streak: 1, mediumWins: 1 });
    expect(await after('win', 'hard')).toMatchObject({ score: 2, win_streak: 2, hardWins: 1 });
    expect(await after('win', 'easy')).toMatchObject({ score: 4, win_streak: 0, wins: 4, easyWins: 2 });
    const read = await player.api(`/api/player/stats?userId=${player.user.id}`);
    expect(await read.json()).toEqual({
      score: 4,
      win_streak: 0,
      wins: 4,
      losses: 1,
      draws: 1,
      easyWins: 2,
      mediumWins: 1,
      hardWins: 1,
    });
  });

  test('counts a score below zero', async () => {
    const player = await aSignedInVisitor(server);
    expect((await report(player, { result: 'lose', difficulty: 'easy' })).body).toMatchObject({ score: -1, losses: 1 });
  });

  test('counts a repeated Idempotency-Key once and answers the same', async () => {
    const player = await aSignedInVisitor(server);
    const once = { result: 'win', difficulty: 'easy' };
    const first = await report(player, once, { 'idempotency-key': 'a-1' });
    expect(await report(player, once, { 'idempotency-key': 'a-1' })).toEqual(first);
    expect((await report(player, once, { 'idempotency-key': 'a-2' })).body).toMatchObject({ wins: 2 });
  });

  test('rejects an Idempotency-Key with another result, and keeps the keys of players apart', async () => {
    const [player, other] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
    const key = { 'idempotency-key': 'shared' };
    await report(player, { result: 'win', difficulty: 'easy' }, key);
    const changed = await report(player, { result: 'lose', difficulty: 'easy' }, key);
    expect(changed).toMatchObject({ status: 422, body: { error: expect.stringContaining('Idempotency-Key') } });
    expect(await report(other, { result: 'lose', difficulty: 'easy' }, key)).toMatchObject({ status: 200 });
  });
});

describe('GET /api/leaderboard', () => {
  const top = async (query = '') =>
    (await (await fetch(`${server.origin}/api/leaderboard${query}`)).json()) as object[];

  test('is empty at first, then ranks by score, wins, fewer losses and time', async () => {
    await removeData(server);
    expect(await top()).toEqual([]);

    const play = async (name: string, results: string) => {
      const player = await aSignedInVisitor(server, { name });
      for (const result of results.split(' ')) await report(player, { result, difficulty: 'easy' });
      await server.moveClock(1_000);
      return player.user.id;
    };
    await aSignedInVisitor(server, { name: 'Never played' });
    const early = await play('Early', 'win');
    await play('Late', 'win');
    await play('More wins', 'win win lose');
    await play('Bonus', 'win win win');
    await play('Below zero', 'lose');
    await play('Drawn', 'draw');

    expect((await top()).map((entry) => (entry as { name: string }).name)).toEqual([
      'Bonus',
      'More wins',
      'Early',
      'Late',
      'Drawn',
      'Below zero',
    ]);
    expect((await top())[2]).toEqual({
      user_id: early,
      name: 'Early',
      picture: `${server.origin}/avatar/${early}.svg`,
      score: 1,
      wins: 1,
      losses: 0,
      draws: 0,
      total_games: 1,
    });
    expect(await top('?limit=2')).toHaveLength(2);
  });

  test('returns ten players by default, and as many as the limit says', async () => {
    await removeData(server);
    for (let player = 0; player < 12; player++) {
      await report(await aSignedInVisitor(server), { result: 'draw', difficulty: 'easy' });
    }
    expect(await top()).toHaveLength(10);
    expect(await top('?limit=100')).toHaveLength(12);
    expect(await top('?limit=11&_=1&cache=no')).toHaveLength(11);
  });

  test.each(['0', '101', '-1', '1.5', 'ten', '', '1e1', '%00', '10&limit=10'])('rejects limit=%s', async (limit) => {
    const response = await fetch(`${server.origin}/api/leaderboard?limit=${limit}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'limit must be a whole number from 1 to 100' });
  });
});

describe('other addresses', () => {
  test.each([
    ['DELETE', '/api/leaderboard', 'GET, HEAD'],
    ['PUT', '/api/player/stats', 'GET, HEAD, POST'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['POST', '/health/ready', 'GET, HEAD'],
    ['POST', '/auth/google', 'GET, HEAD'],
    ['PUT', '/auth/github/callback', 'GET, HEAD'],
    ['GET', '/auth/token', 'POST'],
    ['GET', '/auth/refresh', 'POST'],
    ['DELETE', '/auth/signout', 'POST'],
    ['POST', '/auth/callback', 'GET, HEAD'],
    ['POST', '/avatar/7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e.svg', 'GET, HEAD'],
    ['POST', '/.well-known/jwks.json', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/playground/', 'GET, HEAD'],
  ])('%s %s is a JSON 405 that allows %s', async (method, path, allowed) => {
    const response = await fetch(server.origin + path, { method, headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
    expect(await response.json()).toMatchObject({
      error: expect.stringContaining(allowed),
      code: 'method_not_allowed',
    });
  });

  test('a browser at an unknown address gets a page with a link to the game, which may load only its style', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/nothing', '/graphql/nothing', '/assets/gone.js', '/avatar/x.svg', '/%']) {
      const response = await fetch(server.origin + path, { headers });
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(await response.text()).toContain('<a class="button" href="/">Back to the game</a>');
    }
    const api = await fetch(`${server.origin}/api/nothing`, { headers });
    expect(await api.json()).toMatchObject({ error: 'There is nothing at this address.' });
  });
});
