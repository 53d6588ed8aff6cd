import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../support/data-source.js';
import { type Database, realPostgres } from '../support/postgres.js';
import { rebuildStats } from '../support/rebuildStats.js';
import { startServer } from '../support/server.js';

/** The schema after migration 15, the last one of the versions before the declared tables. */
const MIGRATION_15 = readFileSync(join(import.meta.dirname, '../fixtures/migration-15.sql'), 'utf8');

let database: Database;
let client: pg.Client;
beforeEach(async () => {
  database = await realPostgres().createDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const rows = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
  (await client.query<Row>(sql, values)).rows;

const IS_OURS = `c.relnamespace = 'public'::regnamespace AND c.relname !~ '^games_(before_)?\\d{4}'`;

/** All that a schema consists of, without the months of games. */
async function schemaOf(url: string): Promise<Record<string, unknown[]>> {
  const described = new pg.Client(url);
  await described.connect();
  const list = async (sql: string) =>
    (await described.query<{ said: string }>(sql)).rows.map(({ said }) => said).sort();
  try {
    return {
      relations: await list(
        `SELECT concat_ws(' ', relname, relkind, reloptions) AS said FROM pg_class c WHERE ${IS_OURS}`,
      ),
      columns: await list(
        `SELECT concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull,
           pg_get_expr(adbin, adrelid), attidentity) AS said
         FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef d ON d.adrelid = attrelid AND adnum = attnum
         WHERE ${IS_OURS} AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped`,
      ),
      constraints: await list(
        `SELECT concat_ws(' ', relname, conname, pg_get_constraintdef(k.oid)) AS said
         FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid WHERE ${IS_OURS} AND contype <> 'n'`,
      ),
      indexes: await list(
        `SELECT pg_get_indexdef(c.oid) AS said FROM pg_class c WHERE ${IS_OURS} AND relkind IN ('i', 'I')`,
      ),
      functions: await list(
        `SELECT pg_get_functiondef(oid) AS said FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
      ),
      triggers: await list(`SELECT pg_get_triggerdef(oid) AS said FROM pg_trigger WHERE NOT tgisinternal`),
    };
  } finally {
    await described.end();
  }
}

async function declaredSchema(): Promise<Record<string, unknown[]>> {
  const fresh = await realPostgres().createDatabase();
  try {
    await migrate(fresh.url);
    return await schemaOf(fresh.url);
  } finally {
    await fresh.drop();
  }
}

describe('a database of the version before', () => {
  const players = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  const [ada, grace, merged] = players as [string, string, string];

  /** Counts a game with the function of that version. */
  async function count(id: string, difficulty: string, result: string, at: string): Promise<void> {
    const [row] = await rows<{ status: string }>(
      `SELECT status FROM record_game($1, $1, gen_random_uuid(), 'verified', $2, $3, 'seed', '{0,1,2,3,4}', $4, $4, 0)`,
      [id, difficulty, result, at],
    );
    expect(row!.status).toBe('counted');
  }

  beforeEach(async () => {
    await client.query(MIGRATION_15);
    await rows(`SELECT create_games_months('2026-10-01')`);
    for (const id of players) {
      await rows(`INSERT INTO players (id, name, provider, created_at) VALUES ($1, 'Player', 'google', now())`, [id]);
      await rows(
        `INSERT INTO sessions (id, player_id, created_at, last_seen_at, expires_at) VALUES ($1, $1, now(), now(), '2100-01-01')`,
        [id],
      );
    }
    const hard = ['draw', 'draw', 'draw', 'lose', 'draw', 'draw'];
    for (const [at, result] of hard.entries()) await count(ada, 'hard', result, `2026-10-0${at + 1}T12:00:00Z`);
    for (const result of ['win', 'win', 'win']) await count(ada, 'easy', result, '2026-11-05T12:00:00Z');
    for (const result of ['draw', 'draw', 'draw', 'draw']) await count(merged, 'hard', result, '2026-11-06T12:00:00Z');
    await count(grace, 'medium', 'lose', '2026-11-07T12:00:00Z');
  });

  const sumsOf = (id: string) =>
    rows('SELECT score, hard_draws, hard_draws_in_a_row, best_hard_draws FROM player_stats WHERE player_id = $1', [id]);

  test('is taken over with its data, and has the declared schema then', async () => {
    await migrate(database.url);
    expect(await schemaOf(database.url)).toEqual(await declaredSchema());
    expect(await sumsOf(ada)).toEqual([{ score: 3, hard_draws: 5, hard_draws_in_a_row: 2, best_hard_draws: 3 }]);
    expect(await sumsOf(merged)).toEqual([{ score: 0, hard_draws: 4, hard_draws_in_a_row: 4, best_hard_draws: 4 }]);
    expect(await rebuildStats({ databaseUrl: database.url, dataDir: '' })).toEqual({
      code: 0,
      said: '14 games of 3 players: 0 differences\nPlayers with a badge without its date: 2. --repair adds it.\n',
    });
  });

  test('keeps the draws of merged accounts and of archived games', async () => {
    await rows('DELETE FROM player_stats WHERE player_id = $1', [merged]);
    await rows('DELETE FROM player_weeks WHERE player_id = $1', [merged]);
    await rows('INSERT INTO merged_players VALUES ($1, $2, 4, now())', [ada, merged]);
    await rows(
      `INSERT INTO archived_stats VALUES ($1, 2, 0, 0, 2, 0, 0, 0, 0, 0, 2, 2, 2, '2026-10-02', 1, '2026-10-01', '2026-10-02', NULL)`,
      [ada],
    );
    await rows('DELETE FROM games WHERE player_id = $1 AND number <= 2', [ada]);
    await migrate(database.url);
    expect(await sumsOf(ada)).toEqual([{ score: 3, hard_draws: 9, hard_draws_in_a_row: 2, best_hard_draws: 4 }]);
    expect(await rows('SELECT score, reached_at, last_game_at FROM archived_stats')).toEqual([
      { score: 0, reached_at: new Date('2026-10-01'), last_game_at: new Date('2026-10-02') },
    ]);
  });

  test('keeps the bans of identities that still exist', async () => {
    await rows(`INSERT INTO identities VALUES ('https://issuer.example', 'Mallory', $1, now())`, [grace]);
    await rows(
      `INSERT INTO bans VALUES ('a keyed hash', $1, '2026-11-01'), ('of a deleted account', gen_random_uuid(), now())`,
      [grace],
    );
    await migrate(database.url);
    const hash = createHash('sha256').update('https://issuer.example\0Mallory').digest();
    expect(await rows('SELECT identity_hash, created_at FROM bans WHERE player_id = $1', [grace])).toEqual([
      { identity_hash: hash, created_at: new Date('2026-11-01T00:00:00Z') },
    ]);
    expect(await rows('SELECT 1 FROM bans')).toHaveLength(2);
  });

  test('is refused when it is older, with what to install first', async () => {
    await rows(`DELETE FROM migrations WHERE name LIKE 'ScoreHundreds%'`);
    await expect(startServer({ databaseUrl: database.url })).rejects.toThrow(
      'its newest migration is GamesOfABatch1764200000014, and this version takes over databases from ' +
        'ScoreHundreds1764300000015 on. Start the last server with that migration on it once, then this one.',
    );
  });

  test('is refused while servers of the version before are connected', async () => {
    const earlier = new pg.Client({ connectionString: database.url, application_name: 'tic-tac-toe' });
    await earlier.connect();
    try {
      await expect(startServer({ databaseUrl: database.url })).rejects.toThrow(
        'Servers of the version before hold 1 connections to this database. Stop them and back up the database',
      );
      expect(await rows(`SELECT 1 FROM migrations WHERE name LIKE 'TakeOver%'`)).toEqual([]);
    } finally {
      await earlier.end();
    }
    const server = await startServer({ databaseUrl: database.url });
    await server.remove();
  });
});

test('a function follows its declared text', async () => {
  await migrate(database.url);
  const text = async () =>
    (await rows<{ said: string }>(`SELECT pg_get_functiondef('refuse_change_of_audit'::regproc) AS said`))[0]!.said;
  const declared = await text();
  await rows(
    'CREATE OR REPLACE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  );
  await rows(`COMMENT ON FUNCTION refuse_change_of_audit IS 'the hash of an earlier text'`);
  await migrate(database.url);
  expect(await text()).toBe(declared);
});
