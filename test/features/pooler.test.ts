import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { migrate } from '../../server/schema/migrate.js';
import { MigrationLockedError } from '../../server/schema/migration-lock.js';
import { findPgBouncer, type Pooler, startPgBouncer } from '../../scripts/machine/pgbouncer.js';
import { locksOn } from '../support/locks.js';
import { playGame } from '../support/play.js';
import { type Database, realPostgres } from '../support/postgres.js';
import { rebuildStats } from '../support/rebuildStats.js';
import { query, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const describeWithPgBouncer = findPgBouncer() ? describe : describe.skip;

describeWithPgBouncer('Behind PgBouncer in transaction mode (on Debian: apt-get install pgbouncer)', () => {
  let database: Database;
  let pooler: Pooler;
  let servers: Server[];
  beforeAll(async () => {
    database = await realPostgres().createDatabase();
    // One connection more than two servers need at the least: one holds the lock and migrates with the other.
    pooler = await startPgBouncer(database.url, { default_pool_size: '4' });
    const options = {
      databaseUrl: pooler.urlOf(database.url),
      env: { AUTH_SECRET: 'the same for both of the servers', SIGN_INS_PER_MINUTE: '20' },
    };
    servers = await Promise.all([startServer(options), startServer(options)]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.remove()));
    await pooler.stop();
    await database.drop();
  });

  const direct = () => ({ ...servers[0]!, databaseUrl: database.url });

  test('two servers that start at once on an empty database count games', async () => {
    for (const server of servers) {
      const player = await aSignedInVisitor(server);
      expect(await playGame(server, player, { result: 'win' })).toMatchObject({ __typename: 'GameCounted' });
      expect((await player.graphql('{ myStats { score } }')).data).toEqual({ myStats: { score: 1 } });
    }
    expect(await rebuildStats(servers[0]!)).toMatchObject({ code: 0 });
  });

  test('a server leaves no setting in the shared connections', async () => {
    const client = new pg.Client(pooler.urlOf(database.url));
    await client.connect();
    const { rows } = await client.query(
      `SELECT name FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout',
         'idle_in_transaction_session_timeout') AND source = 'session'`,
    );
    await client.end();
    expect(rows).toEqual([]);
    // A transaction may hold one, a connection between two transactions may not.
    const stranded = `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND datname = current_database() AND xact_start IS NULL`;
    expect(await query(direct(), stranded)).toEqual([]);
  });

  test('PostgreSQL ends a statement that waits for a lock, and a transaction too', async () => {
    const [server] = servers as [Server];
    const player = await aSignedInVisitor(server);
    const locks = await locksOn(direct());
    try {
      await locks.hold('LOCK TABLE player_stats, players IN ACCESS EXCLUSIVE MODE');
      const statement = player.api(`/api/player/stats?userId=${player.user.id}`);
      const transaction = player.graphql('mutation { deleteAccount }');
      await locks.untilWaiting(2);
      expect((await statement).status).toBe(503);
      expect((await transaction).errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
      expect(await locks.waiting()).toBe(0);
    } finally {
      await locks.release();
      await locks.close();
    }
    expect((await player.api(`/api/player/stats?userId=${player.user.id}`)).status).toBe(200);
  });

  test('guesses that arrive together at both servers have one limit', async () => {
    const guess = (server: Server) => new Visitor(server).exchange('guess', 'v'.repeat(43));
    const answers = await Promise.all(Array.from({ length: 40 }, (_none, at) => guess(servers[at % 2]!)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20);
  });
});

describe('Migrations', () => {
  let database: Database;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await realPostgres().createDatabase();
  });
  afterAll(() => database.drop());

  async function sourceWith(...migrations: (new () => MigrationInterface)[]): Promise<DataSource> {
    const options = { type: 'postgres', installExtensions: false, migrationsTransactionMode: 'each' } as const;
    return new DataSource({ ...options, url: database.url, migrations, applicationName: 'tester' }).initialize();
  }

  test('wait for another server, say who it is, and give up after a limit', async () => {
    const holder = new pg.Client({ connectionString: database.url, application_name: 'stranded' });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(7463201)');
    const source = await sourceWith();
    try {
      const error: unknown = await migrate(source, { limit: 300, pause: 50 }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(MigrationLockedError);
      expect(String(error)).toMatch(/stranded from 127\.0\.0\.1 since \d{4}-.*pg_terminate_backend\(\d+\)/);
    } finally {
      await source.destroy();
      await holder.end();
    }
  });
});
