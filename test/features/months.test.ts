import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { countGame } from '../builders/finished-game.js';
import { migrate } from '../support/data-source.js';
import { type Database, realPostgres } from '../support/postgres.js';

let database: Database;
let pool: pg.Pool;
beforeEach(async () => {
  database = await realPostgres().createDatabase();
  await migrate(database.url);
  pool = new pg.Pool({ connectionString: database.url });
  // A connection may still be closing when its database is dropped.
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

async function rows<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await pool.query<T>(sql, values)).rows;
}

async function aPlayer(): Promise<string> {
  const [player] = await rows<{ id: string }>(
    `INSERT INTO players (name, provider, created_at) VALUES ('Player', 'google', now()) RETURNING id`,
  );
  return player!.id;
}

/** @param idFrom no earlier game has the id */
async function play(playerId: string, id: string, now: Date, idFrom?: Date): Promise<string> {
  const game = { playerId, sessionId: null, id, source: 'reported', difficulty: 'easy', result: 'win' } as const;
  return (await countGame(rows, { ...game, now, idFrom })).status;
}

test('a game counts once across months, in a month without a partition too', async () => {
  const player = await aPlayer();
  expect(await rows(`SELECT FROM pg_inherits WHERE inhparent = 'games'::regclass`)).toHaveLength(4);
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
  const player = await aPlayer();
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT create_games_months(now() + interval '1 year')`);
  const now = new Date();
  expect(await play(player, randomUUID(), now, now)).toBe('counted');
  await holder.query('COMMIT');
  holder.release();
});
