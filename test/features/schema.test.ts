import { expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { OperatorError } from '../../server/base/errors.js';
import { migrate } from '../../server/database/migrate.js';
import { migrations } from '../../server/database/migrations.js';
import { playGame } from '../support/play.js';
import { realPostgres } from '../support/postgres.js';
import { query, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

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
  const options = { type: 'postgres', installExtensions: false, migrationsTransactionMode: 'each' } as const;
  const source = await new DataSource({ ...options, url, migrations: all }).initialize();
  try {
    await migrate(source);
  } finally {
    await source.destroy();
  }
}

test('a database in use is changed once by a later version, keeps its data, and this version works with its schema', async () => {
  const database = await realPostgres().createDatabase();
  const server = await startServer({ databaseUrl: database.url });
  try {
    const player = await aSignedInVisitor(server);
    await playGame(server, player, { result: 'win' });
    for (let start = 0; start < 2; start++) await migrateTo(database.url, ...migrations, NoteOfAGame4102444800000);
    await server.restart();
    await playGame(server, player, { result: 'win' });
    expect(await query(server, 'SELECT note FROM games')).toEqual([{ note: null }, { note: null }]);

    const { code, said } = await ttt(server, 'migrate', '--status');
    expect(code).toBe(0);
    expect(said).toBe(listed('applied', [...NAMES, 'NoteOfAGame4102444800000 (of a later version)']));
    expect(await ttt(server, 'stats', 'rebuild')).toEqual({
      code: 1,
      said: expect.stringContaining('The schema is newer than this version (NoteOfAGame4102444800000)'),
    });
  } finally {
    await server.remove();
    await database.drop();
  }
});

test('ttt says what a database lacks, and migrates it', async () => {
  const empty = await realPostgres().createDatabase();
  const there = { databaseUrl: empty.url, dataDir: '' };
  try {
    const status = await ttt(there, 'migrate', '--status');
    expect(status).toEqual({ code: 1, said: listed('missing', NAMES) });
    expect(await ttt(there, 'stats', 'rebuild')).toEqual({
      code: 1,
      said: expect.stringContaining(`The schema lacks ${NAMES.length} migrations. Apply them first: ttt migrate`),
    });
    expect(await ttt(there, 'migrate')).toEqual({ code: 0, said: 'The schema is up to date.\n' });
    expect(await ttt(there, 'migrate', '--status')).toMatchObject({ code: 0 });
  } finally {
    await empty.drop();
  }
});

test('two servers that start at once on an empty database count games', async () => {
  const empty = await realPostgres().createDatabase();
  const start = () => startServer({ databaseUrl: empty.url });
  const servers = await Promise.all([start(), start()]);
  try {
    for (const one of servers) {
      const player = await aSignedInVisitor(one);
      expect(await playGame(one, player, { result: 'win' })).toMatchObject({ __typename: 'GameCounted' });
    }
  } finally {
    await Promise.all(servers.map((one) => one.remove()));
    await empty.drop();
  }
});

test('migrations wait for another server, say who it is, and give up after a limit', async () => {
  const empty = await realPostgres().createDatabase();
  const holder = new pg.Client({ connectionString: empty.url, application_name: 'stranded' });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(7463201)');
  const source = await new DataSource({ type: 'postgres', installExtensions: false, url: empty.url }).initialize();
  try {
    const error: unknown = await migrate(source, { limit: 300, pause: 50 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).toMatch(/stranded from 127\.0\.0\.1 since \d{4}-.*pg_terminate_backend\(\d+\)/);
  } finally {
    await source.destroy();
    await holder.end();
    await empty.drop();
  }
});
