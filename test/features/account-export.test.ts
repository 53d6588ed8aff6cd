import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { challengeOf, startChallenge } from '../support/challenge.js';
import { type Locks, locksOn } from '../support/locks.js';
import { aMadePlayer } from '../support/made.js';
import { playGame } from '../support/play.js';
import { logged, PATIENT, query, type Server, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { Visitor } from '../support/visitor.js';

type Row = Record<string, unknown>;
type Document = { [section in 'player' | 'stats']: Row } & {
  [
    section in 'identities' | 'sessions' | 'signIns' | 'games' | 'challenges' | 'weeks' | 'voidedGames' | 'decisions'
  ]: Row[];
};

/** Neither the rows nor the text of so many games with such seeds fit into this heap. */
const MANY = 8_000;
const SMALL_HEAP = '--max-old-space-size=96';
const EXPORT = '/api/account/export';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';

let server: Server;
let locks: Locks;
beforeAll(async () => {
  server = await startServer({ env: { ...PATIENT, NODE_OPTIONS: SMALL_HEAP, TRUST_PROXY: 'loopback' } });
  locks = await locksOn(server);
});
afterAll(async () => {
  await locks.close();
  await server.remove();
});

/** A player with this many games, all drawn. */
async function aPlayerWith(games: number): Promise<Visitor> {
  const player = await aMadePlayer(server);
  const values = [player.user.id, games];
  await query(
    server,
    `INSERT INTO games SELECT gen_random_uuid(), $1, number, 'verified', 'easy', 'draw', false, 0, repeat(md5(number::text), 375),
       '{0,1,2,3,4,5,6,7,8}', now(), now() FROM generate_series(1, $2::integer) AS number`,
    values,
  );
  await query(
    server,
    'INSERT INTO player_stats (player_id, score, draws, reached_at) VALUES ($1, 0, $2, now())',
    values,
  );
  return player;
}

const soon = () => new Promise((wake) => setTimeout(wake, 20));

/** Starts a download and reads nothing of it yet, so that the server has to wait. */
async function unread(player: Visitor): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${player.accessToken}` };
  const [answer] = (await once(get(server.origin + EXPORT, { agent: false, headers }), 'response')) as [
    IncomingMessage,
  ];
  return answer;
}

/** The same, once the server has noticed the end of an earlier download. */
async function unreadOnceFree(player: Visitor): Promise<IncomingMessage> {
  for (;;) {
    const answer = await unread(player);
    if (answer.statusCode !== 429) return answer;
    answer.resume();
    await soon();
  }
}

async function documentOf(answer: AsyncIterable<Uint8Array>): Promise<Document> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as Document;
}

/** The server's busy connections. */
const BUSY = `FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'ttt' AND state <> 'idle'`;

async function untilIdle(): Promise<void> {
  while ((await query(server, `SELECT ${BUSY}`)).length > 0) await soon();
}

/** Leaves a download in the middle. */
function leave(answer: IncomingMessage): void {
  answer.on('error', () => undefined).destroy();
}

describe('the download of an account with very many games', () => {
  let player: Visitor;
  beforeAll(async () => void (player = await aPlayerWith(MANY)));

  test('is complete and consistent even when it does not fit into memory', async () => {
    const answer = await unread(player);
    expect((await playGame(server, player, { result: 'draw' })).__typename).toBe('GameCounted');
    const { games, stats } = await documentOf(answer);
    expect(stats).toMatchObject({ draws: MANY });
    expect(games).toHaveLength(MANY);
    expect(games.every(({ number }, index) => number === index + 1)).toBe(true);
  });

  test('holds no connection while its reader pauses, and allows one download at a time', async () => {
    const answer = await unread(player);
    await untilIdle();
    const second = await player.api(EXPORT);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '60']);
    expect(second.headers.get('content-disposition')).toBeNull();
    expect(await second.json()).toMatchObject({
      error: 'Your data is being downloaded already. Try again when that download has ended.',
      code: 'export_under_way',
    });
    leave(answer);
    const again = await unreadOnceFree(player);
    expect(again.statusCode).toBe(200);
    leave(again);
  });

  test('is cut off when its account is deleted', async () => {
    const answer = await unreadOnceFree(player);
    expect(await ttt(server, 'player', 'delete', player.user!.id, '--reason', 'A test')).toMatchObject({ code: 0 });
    await expect(documentOf(answer)).rejects.toThrow('aborted');
    await logged(server, 'export_failed');
  });
});

test('has each session and each sign-in once, also behind many pages', async () => {
  const player = await aMadePlayer(server);
  const values = [player.user.id];
  // All of one moment, so that the time tells no page from another.
  await query(
    server,
    `INSERT INTO sessions (player_id, id, refresh_count, refresh_answers, created_at, last_seen_at, expires_at)
     SELECT $1, gen_random_uuid(), 0, 1, date_trunc('second', now()), now(), now() + interval '1 day'
     FROM generate_series(1, 499)`,
    values,
  );
  await query(
    server,
    `INSERT INTO sign_in_codes (player_id, code_hash, state_hash, code_challenge, return_to, created_at, expires_at)
     SELECT $1, sha256(number::text::bytea), sha256(number::text::bytea), repeat('a', 43), '/' || number, date_trunc('second', now()), now()
     FROM generate_series(1, 400) AS number`,
    values,
  );
  const { sessions, signIns } = (await (await player.api(EXPORT)).json()) as Document;
  expect([new Set(sessions.map(({ id }) => id)).size, sessions.length]).toEqual([500, 500]);
  expect([new Set(signIns.map(({ returnTo }) => returnTo)).size, signIns.length]).toEqual([400, 400]);
});

test('a server writes at most five downloads at once, and three of one network', async () => {
  const [last, ...others] = await Promise.all(Array.from({ length: 6 }, () => aPlayerWith(1)));
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const isRefused = async (address: string) => {
    const refused = await last!.api(EXPORT, from(address));
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_exports' }]);
  };
  await locks.hold('LOCK TABLE games');
  const ofOne = others.slice(0, 3).map((player, at) => player.api(EXPORT, from(`2001:db8:7:${at}::1`)));
  await locks.untilWaiting(3);
  await isRefused('2001:db8:7:9::1');
  const elsewhere = others.slice(3).map((player) => player.api(EXPORT, from('203.0.113.7')));
  await locks.untilWaiting(5);
  await isRefused('198.51.100.7');
  const answers = [...ofOne, ...elsewhere];
  expect((await last!.fetch('/health/ready')).status).toBe(200);
  expect(await locks.waiting()).toBe(5);
  await locks.release();
  for (const answer of await Promise.all(answers)) expect(await answer.json()).toHaveProperty('games.length', 1);
  expect((await last!.api(EXPORT)).status).toBe(200);
});

test('the export holds the profile, identities, browsers, sums and games, with every column about a player except ids and hashes that only machines use', async () => {
  const player = await Object.assign(new Visitor(server), { userAgent: FIREFOX }).signIn();
  await playGame(server, player, { result: 'win' });
  // Midnight must not come in between.
  await server.stopClock();
  await startChallenge(player, (await challengeOf(player)).attempt.day, 1);
  await query(server, 'INSERT INTO voided_games SELECT * FROM games WHERE player_id = $1', [player.user.id]);
  await ttt(server, 'player', 'hide', player.user.id, '--reason', 'A test of the export');
  const text = await (await player.api(EXPORT)).text();
  const document = JSON.parse(text) as Document;
  expect(text).toBe(JSON.stringify(document, null, 2));
  const { id, email, provider } = player.user;
  expect(document).toMatchObject({
    player: { id, email, provider, picture: null },
    identities: [{ issuer: expect.stringMatching(/^http/), subject: expect.stringMatching(/./) }],
    sessions: [{ browser: 'Firefox on Linux', userAgent: FIREFOX, revokedAt: null }],
    signIns: [{ returnTo: '/' }],
    stats: { score: 1, wins: 1, losses: 0, draws: 0, easyWins: 1 },
    games: [{ number: 1, result: 'win', points: 1, source: 'verified' }],
  });
  const columns = await query<{ table: string; columns: string[] }>(
    server,
    `SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
     WHERE table_schema = 'public' AND (table_name = 'players' OR table_name IN (
       SELECT table_name FROM information_schema.columns WHERE column_name = 'player_id'))
     GROUP BY table_name`,
  );
  const sections: Record<string, Row | undefined> = {
    players: document.player,
    identities: document.identities[0],
    sessions: document.sessions[0],
    sign_in_codes: document.signIns[0],
    player_stats: document.stats,
    games: document.games[0],
    player_weeks: document.weeks[0],
    challenge_attempts: document.challenges[0],
    voided_games: document.voidedGames[0],
    audit: document.decisions[0],
  };
  const withheld = new Set(['playerId', 'codeHash', 'stateHash', 'codeChallenge', 'tokenHash', 'id', 'operator']);
  expect(JSON.stringify(document.decisions)).toContain('A test of the export');
  // Hashes of identities, with decisions that the audit has too.
  const others = ['bans', 'left_identities'];
  for (const { table, columns: names } of columns.filter(({ table }) => !others.includes(table))) {
    const stored = names.map((name) => name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()));
    expect([table, Object.keys(sections[table] ?? {})]).toEqual([
      table,
      expect.arrayContaining(stored.filter((name) => !withheld.has(name))),
    ]);
  }
});
