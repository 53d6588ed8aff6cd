import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../../server/schema/open-database.js';
import { migrations } from '../../server/schema/migrations/index.js';
import { Env } from '../../server/settings/env.js';
import { publicGameId } from '../../server/games/public-id.js';
import { Keys } from '../../server/settings/keys.js';
import { migrated, optionsFor } from '../support/migrated.js';
import { type Database, realPostgres } from '../support/postgres.js';
import { startServer } from '../support/server.js';
import { Visitor } from '../support/visitor.js';

const AUTH_SECRET = 'known to this test so that it can sign';
const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** The version before the keys by player, and the version with them. */
const BEFORE = migrations.findIndex(({ name }) => name.startsWith('KeyIndexes'));
const AFTER = migrations.findIndex(({ name }) => name.startsWith('GamesByMonth')) + 1;

let database: Database;
let pool: pg.Pool;
beforeEach(async () => {
  database = await realPostgres().createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  // A connection may still be closing when its database is dropped.
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

interface Player {
  id: string;
  session: string;
}

async function rows<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await pool.query<T>(sql, values)).rows;
}

/** A player with an identity, a session and a spent code. */
async function aPlayer(): Promise<Player> {
  const [player] = await rows<Player>(
    `WITH player AS (INSERT INTO players (name, provider, created_at) VALUES ('Player', 'google', now()) RETURNING id)
     INSERT INTO sessions (player_id, created_at, last_seen_at, expires_at)
     SELECT id, now(), now(), now() + interval '20 years' FROM player RETURNING player_id AS id, id AS session`,
  );
  const { id, session } = player!;
  await rows(`INSERT INTO identities VALUES ('https://issuer.example', $1, $2, now())`, [id, id]);
  await rows(
    `INSERT INTO sign_in_codes SELECT sha256($1::bytea), sha256($2::bytea), $3, repeat('c', 43), '/', now(), now(), now(), $4`,
    [randomUUID(), randomUUID(), id, session],
  );
  return player!;
}

async function play({ id, session }: Player, game: string, at = new Date()): Promise<string> {
  const [row] = await rows<{ status: string }>(
    `SELECT status FROM record_game($1, $2, $3, 'reported', 'easy', 'win', NULL, NULL, NULL, $4, 0)`,
    [session, id, game, at],
  );
  return row!.status;
}

const TABLES = ['players', 'identities', 'sessions', 'sign_in_codes', 'games', 'player_stats'] as const;

async function everything(): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    const found = await rows<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(${table}) - 'last_game_at' AS row FROM ${table}`,
    );
    contents[table] = found.map(({ row }) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  return contents;
}

const updated = async () => (await openDatabase(optionsFor(database.url, AFTER))).destroy();
const fileOf = async (table: string) =>
  (await rows<{ file: number }>('SELECT pg_relation_filenode($1::regclass) AS file', [table]))[0]!.file;
const partitions = async () =>
  (
    await rows<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'games'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);

test('an update with data keeps every row, and attaches the table of games without rewriting it', async () => {
  await migrated(database.url, BEFORE, (source) => source.runMigrations());
  const [first, second] = [await aPlayer(), await aPlayer()];
  const old = randomUUID();
  expect(await play(first, old, new Date('2026-01-05'))).toBe('counted');
  expect(await play(first, randomUUID())).toBe('counted');
  expect(await play(second, randomUUID())).toBe('counted');
  const content = await everything();
  const file = await fileOf('games');

  await updated();
  expect(await everything()).toEqual(content);
  const earlier = (await partitions()).find((name) => name.startsWith('games_before_'))!;
  expect(await fileOf(earlier)).toBe(file);

  // The function of the previous version, with the games from before the update.
  expect(await play(first, old)).toBe('repeated');
  expect(await play(second, randomUUID())).toBe('counted');
  await rows('SELECT delete_player($1)', [first.id]);
  for (const table of TABLES.slice(1))
    expect(await rows(`SELECT FROM ${table} WHERE player_id = $1`, [first.id])).toEqual([]);
  const left = await everything();

  await migrated(database.url, AFTER, async (source) => {
    for (let undone = BEFORE; undone < AFTER; undone++) await source.undoLastMigration();
  });
  expect(await everything()).toEqual(left);
  expect(await play(second, randomUUID())).toBe('counted');
  await expect(rows('DELETE FROM players WHERE id = $1', [second.id])).rejects.toMatchObject({ code: '23503' });
  await rows('SELECT delete_player($1)', [second.id]);
  expect(Object.values(await everything()).flat()).toEqual([]);
  await updated();
});

test('an update that was interrupted while it built an index begins again', async () => {
  await migrated(database.url, BEFORE, (source) => source.runMigrations());
  const player = await aPlayer();
  await rows('CREATE INDEX games_player_id_id ON games (player_id, id)');
  await rows(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'games_player_id_id'::regclass`);
  await rows(`ALTER TABLE games ADD CONSTRAINT games_before_2020_01 CHECK (finished_at < '2020-01-01') NOT VALID`);
  await updated();
  expect(await play(player, randomUUID())).toBe('counted');
});

test('a game counts once across months, in a month without a partition too', async () => {
  await updated();
  const player = await aPlayer();
  const names = await partitions();
  expect(names).toHaveLength(4);
  const late = new Date('2031-12-31T23:59:59.999Z');
  const game = randomUUID();
  expect(await play(player, game, late)).toBe('counted');
  expect(await rows('SELECT FROM games_default')).toHaveLength(1);
  expect(await play(player, game, new Date('2032-01-01'))).toBe('repeated');
  expect(await play(player, game, new Date('2031-11-30'))).toBe('repeated');

  const [row] = await rows<{ created: number }>('SELECT create_games_months($1) AS created', [late]);
  expect(row!.created).toBe(3);
  expect(await rows('SELECT FROM games_default')).toEqual([]);
  expect(await rows('SELECT FROM games_2031_12')).toHaveLength(1);
  expect(await play(player, game, new Date('2032-01-01'))).toBe('repeated');
});

test('a new game does not wait for partitions of new months that are being created', async () => {
  await updated();
  const player = await aPlayer();
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT create_games_months(now() + interval '1 year')`);
  const [game] = await rows<{ status: string }>(
    `SELECT status FROM record_game($1, $2, $3, 'reported', 'easy', 'win', NULL, NULL, NULL, $4, 0, in_id_from => $4)`,
    [player.session, player.id, randomUUID(), new Date()],
  );
  expect(game!.status).toBe('counted');
  await holder.query('COMMIT');
  holder.release();
});

test('ids, refresh tokens and sign-in codes from before the update stay valid', async () => {
  await migrated(database.url, BEFORE, (source) => source.runMigrations());
  const player = await aPlayer();
  const game = randomUUID();
  await play(player, game);
  const [code, verifier] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url')) as [
    string,
    string,
  ];
  await rows(
    `INSERT INTO sign_in_codes (code_hash, state_hash, player_id, code_challenge, return_to, created_at, expires_at)
     VALUES ($1, $2, $3, $4, '/', now(), now() + interval '1 hour')`,
    [sha256(code), sha256('state'), player.id, sha256(verifier).toString('base64url')],
  );

  const server = await startServer({ databaseUrl: database.url, env: { AUTH_SECRET } });
  try {
    const visitor = new Visitor(server);
    const { data } = await visitor.graphql<{ game: { id: string } }>(`{ game(id: "${game}") { id } }`);
    expect(data!.game).toEqual({ id: publicGameId(player.id, game) });
    const token = `${player.session}.0`;
    const key = new Keys(Object.assign(new Env(), { authSecrets: [AUTH_SECRET] })).keysFor('refresh-token')[0];
    const signature = createHmac('sha256', key).update(token).digest('base64url');
    const refreshed = await visitor.refresh(`refresh=${token}.${signature}`);
    expect(refreshed.status).toBe(200);
    expect(refreshed.headers.getSetCookie()[0]).toMatch(new RegExp(`^refresh=${player.id}_${player.session}\\.1\\.`));
    expect((await new Visitor(server).exchange(code, verifier)).status).toBe(200);
  } finally {
    await server.remove();
  }
});
