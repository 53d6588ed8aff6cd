import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { finishGame, startGame } from '../../support/play.js';
import { aServer, endOfLog, logged, query } from '../../support/server.js';
import { aSignedInVisitor, FROM_PAGE, Visitor } from '../../support/visitor.js';
import { INSIDE } from './inside.js';

const MINUTE = 60_000;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const server = aServer({});
/** Nothing moves the clock back, as a minute that has ended stays ended. */
const wait = (ms: number) => server.moveClock(ms);

const idOf = (response: Response) => response.headers.get('x-request-id')!;

async function linesSince(start: number, text: string): Promise<Record<string, unknown>[]> {
  const end = await endOfLog(server);
  const lines = server.log().slice(start, end).split('\n');
  return lines.filter((line) => line.includes(text)).map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The log's lines about one request, except the line of its answer. */
async function entriesOf(id: string): Promise<Record<string, unknown>[]> {
  await logged(server, id);
  return (await linesSince(0, id)).filter(({ event }) => event !== 'request');
}

describe('The id of a request', () => {
  test('is a new one on each answer, and never taken from the request', async () => {
    const headers = { 'x-request-id': 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa' };
    const json = { ...headers, 'content-type': 'application/json' };
    const requests: [string, RequestInit?][] = [
      ['/'],
      ['/app.webmanifest'],
      ['/health/live'],
      ['/api/leaderboard', { headers }],
      ['/nothing'],
      ['/auth/google/callback?error=access_denied&state=x'],
      ['/api/player/stats', { method: 'POST', headers: json, body: '{' }],
      ['/graphql', { method: 'OPTIONS', headers }],
    ];
    const ids = [];
    for (const request of [...requests, ...requests]) ids.push(idOf(await new Visitor(server).fetch(...request)));
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set([...ids, headers['x-request-id']]).size).toBe(ids.length + 1);
  });

  test('is quoted by an error and logged beside its stack, over REST and GraphQL', async () => {
    await query(server, 'ALTER TABLE player_stats RENAME TO player_stats_away');
    try {
      const headers = { 'cache-control': 'no-cache' };
      const rest = await fetch(`${server.origin}/api/leaderboard`, { headers });
      const said = 'Something went wrong on our side. If this keeps happening, please quote this id: ';
      expect(await rest.json()).toEqual({ error: said + idOf(rest), code: 'unexpected' });
      const graphql = await new Visitor(server).postJson('/graphql', { query: '{ leaderboard { name } }' }, headers);
      const text = await graphql.text();
      expect(JSON.parse(text)).toMatchObject({
        errors: [{ message: said + idOf(graphql), extensions: { id: idOf(graphql) } }],
      });
      expect(text).not.toMatch(INSIDE);
      for (const response of [rest, graphql]) {
        expect(await entriesOf(idOf(response))).toContainEqual(
          expect.objectContaining({ event: 'unexpected_error', stack: expect.stringContaining('player_stats') }),
        );
      }
    } finally {
      await query(server, 'ALTER TABLE player_stats_away RENAME TO player_stats');
    }
  });
});

describe('A refusal is logged with its request and a hash of its network:', () => {
  /** Only the first refusal of a kind is logged in a minute. */
  const inANewMinute = () => wait(MINUTE);
  const expected = (fields: object) =>
    expect.objectContaining({ network: expect.stringMatching(/^[\w-]{43}$/), ...fields });

  test('a missing token, over REST (401) and GraphQL (UNAUTHENTICATED)', async () => {
    await inANewMinute();
    const rest = await fetch(`${server.origin}/api/player/stats`);
    expect(await entriesOf(idOf(rest))).toEqual([expected({ event: 'refused', status: 401 })]);
    const graphql = await new Visitor(server).postJson('/graphql', { query: '{ me { id } }' });
    expect(await entriesOf(idOf(graphql))).toEqual([
      expected({ event: 'refused', status: 401, code: 'UNAUTHENTICATED' }),
    ]);
  });

  test("another player's stats, and a deletion long after the sign-in (403), with the player who asked", async () => {
    const [player, other] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
    const { id: playerId } = player.user;
    await inANewMinute();
    const stats = await player.api(`/api/player/stats?userId=${other.user.id}`);
    expect(await entriesOf(idOf(stats))).toEqual([expected({ event: 'refused', status: 403, playerId })]);
    await wait(11 * MINUTE);
    await player.renew();
    const deletion = await player.postJson('/graphql', { query: 'mutation { deleteAccount }' });
    expect(await entriesOf(idOf(deletion))).toEqual([
      expected({ event: 'refused', status: 403, code: 'RECENT_SIGN_IN_REQUIRED', playerId }),
    ]);
  });

  test('a socket from another origin (403)', async () => {
    await inANewMinute();
    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/graphql`, { origin: 'https://evil.example' });
    socket.on('error', () => undefined);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(answer.statusCode).toBe(403);
    expect(await entriesOf(answer.headers['x-request-id'] as string)).toEqual([
      expected({ event: 'refused', status: 403, code: 'socket' }),
    ]);
    socket.terminate();
  });

  test('a forged and a borrowed ticket, with the player who sent them', async () => {
    const [player, other] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
    const borrowed = (await startGame(other, 'easy')).token;
    const forged = `${borrowed.slice(0, -5)}AAAAA`;
    await inANewMinute();
    const start = await endOfLog(server);
    await finishGame(player, forged, [0]);
    await finishGame(player, borrowed, [0]);
    const said = { playerId: player.user.id, requestId: expect.stringMatching(UUID) };
    expect(await linesSince(start, 'ticket_refused')).toEqual([
      expected({ reason: 'ticket_invalid', ...said }),
      expected({ reason: 'ticket_of_another_player', ...said }),
    ]);
    expect(server.log()).not.toContain(borrowed.slice(0, 40));
  });

  test('a failed sign-in, a guessed code and another origin', async () => {
    await inANewMinute();
    const visitor = new Visitor(server);
    const failed = await visitor.fetch('/auth/google/callback?error=access_denied&state=secret-state');
    expect(await entriesOf(idOf(failed))).toEqual([expected({ event: 'sign_in_failed', provider: 'google' })]);
    const guessed = await visitor.exchange('guessed-code', 'v'.repeat(43));
    expect(await entriesOf(idOf(guessed))).toEqual([expected({ event: 'sign_in_failed', code: 'sign_in_expired' })]);
    const foreign = await visitor.fetch('/auth/refresh', { method: 'POST' });
    expect(await entriesOf(idOf(foreign))).toEqual([expected({ event: 'refused', status: 403 })]);
    expect(server.log()).not.toMatch(/secret-state|guessed-code/);
  });

  test('a replayed refresh token and a replayed code, with their player', async () => {
    const visitor = new Visitor(server);
    const { code, verifier } = await visitor.getCode();
    visitor.keep((await (await visitor.exchange(code, verifier)).json()) as never);
    const old = await visitor.sessionCookie();
    await visitor.refresh();
    await visitor.refresh();
    await inANewMinute();
    const token = await new Visitor(server).refresh(old);
    expect(await entriesOf(idOf(token))).toContainEqual(
      expected({ event: 'refresh_token_replayed', playerId: visitor.user!.id }),
    );
    const replayed = await new Visitor(server).exchange(code, verifier);
    expect(await entriesOf(idOf(replayed))).toContainEqual(
      expected({ event: 'sign_in_code_replayed', playerId: visitor.user!.id }),
    );
  });
});

test('a flood of refusals is logged as one line and a count at the end of the minute', async () => {
  await wait(MINUTE);
  await logged(server, idOf(await fetch(`${server.origin}/api/player/stats`)));
  await wait(MINUTE);
  const start = await endOfLog(server);
  for (let times = 0; times < 20; times++) await fetch(`${server.origin}/api/player/stats`);
  await wait(MINUTE);
  await new Visitor(server).fetch('/auth/refresh', { method: 'POST', headers: { ...FROM_PAGE, cookie: 'refresh=x' } });
  const lines = await linesSince(start, '"refused"');
  const counts = lines.filter(({ code }) => code !== 'no_session').map(({ more = 1 }) => Number(more));
  expect(counts.reduce((sum, count) => sum + count)).toBe(20);
  // A real minute may end during the flood, and then a new line begins.
  expect(counts.length).toBeLessThanOrEqual(4);
});

test('X-Forwarded-For without TRUST_PROXY is logged once', async () => {
  for (let times = 0; times < 3; times++) {
    await fetch(`${server.origin}/health/live`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  }
  await logged(server, 'proxy_not_trusted');
  expect(server.log().match(/proxy_not_trusted/g)).toHaveLength(1);
  expect(server.log()).toContain('TRUST_PROXY');
});

test('the log holds no address', () => {
  expect(server.log()).toContain('"network"');
  expect(server.log()).not.toMatch(/127\.0\.0\.1|203\.0\.113|"::|ffff:/);
});
