import { expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { OperatorError } from '../../server/base/errors.js';
import { poolOf } from '../../server/database/data-source.js';
import { LIMITS, migrate } from '../../server/database/migrate.js';
import { migrations } from '../../server/database/migrations.js';
import { eventually } from '../support/page.js';
import { aMadePlayer } from '../support/made.js';
import { playGame } from '../support/play.js';
import { execute, realPostgres } from '../support/postgres.js';
import { query, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';

const NAMES = migrations.map(({ name }) => name);
const listed = (word: string, names: readonly string[]) => names.map((name) => `${word}  ${name}\n`).join('');

/** A migration of a later version. */
class NoteOfAGame4102444800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE games ADD COLUMN note text');
  }

  down(): Promise<void> {
    throw new Error('Not needed');
  }
}

Logger.overrideLogger(false);

async function migrateTo(url: string, ...all: (new () => MigrationInterface)[]): Promise<void> {
  const options = { ...poolOf(url, LIMITS, 2), migrationsTransactionMode: 'each' } as const;
  const source = await new DataSource({ ...options, migrations: all }).initialize();
  try {
    await migrate(source);
  } finally {
    await source.destroy();
  }
}

test('two servers migrate an empty database at once; a later version changes it once, and this one works on', async () => {
  const database = await realPostgres().createDatabase();
  for (const all of [migrations, [...migrations, NoteOfAGame4102444800000]])
    await Promise.all([0, 1].map(() => migrateTo(database.url, ...all)));
  const server = await startServer({ databaseUrl: database.url });
  try {
    const player = await aMadePlayer(server);
    await playGame(server, player, { result: 'win' });
    expect(await query(server, 'SELECT note FROM games')).toEqual([{ note: null }]);

    const { code, said } = await ttt(server, 'migrate', '--status');
    expect(code).toBe(0);
    expect(said).toBe(listed('applied', [...NAMES, 'NoteOfAGame4102444800000 (of a later version)']));
    for (const reads of [['player', 'find', player.user.name], ['player', 'show', player.user.id], ['audit']])
      expect(await ttt(server, ...reads)).toMatchObject({ code: 0 });
    for (const changes of [
      ['stats', 'rebuild'],
      ['player', 'hide', player.user.id, '--reason', 'test'],
    ])
      expect(await ttt(server, ...changes)).toEqual({
        code: 1,
        said: expect.stringContaining('The schema is newer than this version (NoteOfAGame4102444800000)'),
      });
  } finally {
    await server.remove();
    await database.drop();
  }
});

test('the games of programs before the column count in their weeks', async () => {
  const database = await realPostgres().createDatabase();
  await migrateTo(database.url, migrations[0]!);
  await execute(
    database.url,
    `INSERT INTO games (id, player_id, number, source, difficulty, result, bonus, points, finished_at, by_program)
     SELECT gen_random_uuid(), '00000000-0000-0000-0000-000000000001', 1, 'verified', 'easy', 'win', false, 1, made.* FROM
     (VALUES (timestamptz '2026-11-23 00:00Z', true), ('2026-11-29 23:59Z', true), ('2026-11-29 12:00Z', false), ('2026-11-30 00:00Z', false)) AS made;
     INSERT INTO player_weeks SELECT '00000000-0000-0000-0000-000000000001', week, 3, 3, 0, 0, now()
     FROM unnest('{2026-11-23,2026-11-30}'::date[]) AS week`,
  );
  await migrateTo(database.url, ...migrations);
  const weeks = await execute(database.url, 'SELECT week::text, program_games FROM player_weeks ORDER BY week');
  expect(weeks.map(({ program_games }) => program_games)).toEqual([2, 0]);
  await database.drop();
});

test('ttt says what a database lacks; a migration that waits too long for another server gives up and names the process with the lock; ttt then migrates', async () => {
  const empty = await realPostgres().createDatabase();
  const there = { databaseUrl: empty.url, dataDir: '' };
  const holder = new pg.Client({ connectionString: empty.url });
  await holder.connect();
  const source = await new DataSource(poolOf(empty.url, LIMITS, 2)).initialize();
  try {
    const status = await ttt(there, 'migrate', '--status');
    expect(status).toEqual({ code: 1, said: listed('missing', NAMES) });
    expect(await ttt(there, 'stats', 'rebuild')).toEqual({
      code: 1,
      said: expect.stringContaining(`The schema lacks ${NAMES.join(', ')}. Apply it first: ttt migrate`),
    });
    await holder.query('SELECT pg_advisory_lock(7463201)');
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const error: unknown = await migrate(source, { limit: 300, pause: 50 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).toContain(`pg_terminate_backend(${rows[0]!.pid})`);
    await holder.query('SELECT pg_advisory_unlock(7463201)');
    expect(await ttt(there, 'migrate')).toEqual({ code: 0, said: 'The schema is up to date.\n' });
    expect(await ttt(there, 'migrate', '--status')).toMatchObject({ code: 0 });
  } finally {
    await source.destroy();
    await holder.end();
    await empty.drop();
  }
});

test('a migration that meets a long reading of its table, such as a backup, lets others read, and is done after it', async () => {
  const database = await realPostgres().createDatabase();
  await migrateTo(database.url, ...migrations);
  const backup = new pg.Client({ connectionString: database.url });
  await backup.connect();
  await backup.query('BEGIN; LOCK TABLE games IN ACCESS SHARE MODE');
  const waiting = () =>
    execute(database.url, "SELECT FROM pg_locks WHERE NOT granted AND relation = 'games'::regclass");
  const migrated = migrateTo(database.url, ...migrations, NoteOfAGame4102444800000);
  try {
    await eventually(waiting, [{}]);
    await execute(database.url, "SET lock_timeout = '30s'; SELECT FROM games");
  } finally {
    await backup.end();
    await migrated;
  }
  expect(await execute(database.url, 'SELECT note FROM games')).toEqual([]);
  await database.drop();
});
