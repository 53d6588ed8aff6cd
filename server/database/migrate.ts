import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource, DataSourceOptions, QueryRunner } from 'typeorm';
import { OperatorError } from '../base/errors.js';
import { connect, explain, poolOf } from './data-source.js';
import { isLockConflict } from './errors.js';
import { migrations } from './migrations.js';
import type { Limits } from './pool.js';

/**
 * Connects and brings the schema up to date.
 * @throws {OperatorError} when there is no connection within five seconds
 * @throws {OperatorError} when another server migrates for too long
 */
export async function openDatabase(options: DataSourceOptions): Promise<DataSource> {
  const pending = { migrations, migrationsTransactionMode: 'each' as const };
  if ('url' in options && options.url) {
    const maintenance = await connect({ ...poolOf(options.url, LIMITS, 2), ...pending });
    try {
      await migrate(maintenance).catch(explain);
    } finally {
      await maintenance.destroy();
    }
    return connect(options);
  }
  // The embedded database has one process and one connection, so it needs no lock.
  const embedded = await connect({ ...options, ...pending });
  try {
    await embedded.runMigrations();
  } catch (error) {
    await embedded.destroy();
    throw error;
  }
  return embedded;
}

/** The limit of a lock is shorter than `deadlock_timeout`, so that a migration gives way and not the request that it meets. */
const LIMITS: Limits = { connect: 5_000, postgres: { lock_timeout: 800 } };

const DEFAULT: Patience = { limit: 10 * 60_000, pause: 1_000 };

/**
 * Brings the schema up to date. When several servers start at once, one migrates and the others wait until it is done.
 * @throws {OperatorError} when another server migrates for longer than the limit
 */
export async function migrate(dataSource: DataSource, patience: Patience = DEFAULT): Promise<void> {
  const lock = await takeMigrationLock(dataSource, patience);
  try {
    await Promise.race([migratePatiently(dataSource, patience), lock.lost]);
  } finally {
    await lock.release();
  }
}

/** A migration that does not get a lock soon gives way to requests, and starts again after a pause. */
async function migratePatiently(dataSource: DataSource, { limit, pause }: Patience): Promise<void> {
  const end = performance.now() + limit;
  for (let tries = 1; ; tries++) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > end) throw error;
      if (tries === 1) new Logger('Database').warn({ event: 'migration_waits', reason: String(error) });
    }
    await sleep(pause);
  }
}

/** An arbitrary number that no other program on the same database uses. */
const MIGRATION_LOCK = 7_463_201;

/** How often the holder shows that it is alive, and how long PostgreSQL waits for that, in milliseconds. */
const HEARTBEAT = 5_000;
const SILENCE = 60_000;

/** What servers do in this database for longer than a heartbeat. */
const LONG_STATEMENTS = `
  SELECT left(query, 200) AS statement, round(extract(epoch FROM clock_timestamp() - query_start))::integer AS seconds,
    concat_ws(' ', wait_event_type, wait_event) AS waits, pg_blocking_pids(pid) AS "blockedBy"
  FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = current_setting('application_name') AND state = 'active'
    AND pid <> pg_backend_pid() AND query_start < clock_timestamp() - interval '${HEARTBEAT - 1_000} ms'`;

/** In milliseconds. */
interface Patience {
  readonly limit: number;
  /** Between two attempts. */
  readonly pause: number;
}

interface MigrationLock {
  /** Rejects when the connection that holds the lock breaks. */
  readonly lost: Promise<never>;
  release(): Promise<void>;
}

/** The session that holds the lock. Its details are null when it belongs to another role. */
interface Holder {
  readonly pid: number;
  readonly application: string | null;
  readonly address: string | null;
  readonly since: Date | null;
}

/** Another server, or a connection that it has left behind, holds the lock of the migrations. */
const lockedFor = (seconds: number, holder: Holder | undefined) =>
  new OperatorError(
    `The server cannot start: it has waited ${seconds} seconds for another server that migrates the database` +
      (holder ? `: ${describe(holder)}. ` : '. ') +
      'Wait until that server is ready, then start this one again. If no such server runs, end the connection with' +
      ` SELECT pg_terminate_backend(${holder?.pid ?? 'pid'}).`,
  );

/**
 * One transaction holds the lock while another connection migrates, because some migrations run outside of a transaction.
 * The lock ends with its transaction, so no crash leaves it behind. Its isolation is named,
 * because only READ COMMITTED has no snapshot between its statements: `CREATE INDEX CONCURRENTLY` would wait for one for ever.
 * @throws {OperatorError} when another server holds it for longer than the limit
 */
async function takeMigrationLock(dataSource: DataSource, { limit, pause }: Patience): Promise<MigrationLock> {
  const runner = dataSource.createQueryRunner();
  const end = performance.now() + limit;
  let said = false;
  try {
    while (!(await tryLock(runner))) {
      const holder = await holderOf(runner);
      if (performance.now() > end) throw lockedFor(Math.round(limit / 1000), holder);
      if (!said) new Logger('Database').warn({ event: 'migration_lock_waits', holder });
      said = true;
      await sleep(pause);
    }
  } catch (error) {
    await runner.release();
    throw error;
  }
  return held(runner);
}

/** Leaves a transaction open where it gets the lock. */
async function tryLock(runner: QueryRunner): Promise<boolean> {
  await runner.startTransaction('READ COMMITTED');
  const [{ taken }] = (await runner.query('SELECT pg_try_advisory_xact_lock($1) AS taken', [MIGRATION_LOCK])) as [
    { taken: boolean },
  ];
  if (taken) await runner.query(`SET LOCAL idle_in_transaction_session_timeout = ${SILENCE}`);
  else await runner.rollbackTransaction();
  return taken;
}

async function holderOf(runner: QueryRunner): Promise<Holder | undefined> {
  const [holder] = (await runner.query(
    `SELECT pid, application_name AS application, host(client_addr) AS address, coalesce(xact_start, state_change) AS since
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK],
  )) as Holder[];
  return holder;
}

function held(runner: QueryRunner): MigrationLock {
  let heart: NodeJS.Timeout;
  const lost = new Promise<never>((_, reject) => {
    heart = setInterval(() => {
      runner
        .query(LONG_STATEMENTS)
        .then((statements: unknown[]) => {
          // A start without a word looks like one that hangs.
          if (statements.length > 0) new Logger('Database').warn({ event: 'migration_takes_long', statements });
        })
        .catch((error: unknown) =>
          reject(new Error('The connection that holds the lock of the migrations is lost', { cause: error })),
        );
    }, HEARTBEAT);
  });
  // Nobody waits for it after the release.
  lost.catch(() => undefined);
  return {
    lost,
    async release() {
      clearInterval(heart);
      // The lock of a broken connection is released already.
      await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    },
  };
}

function describe({ pid, application, address, since }: Holder): string {
  const from = address ? ` from ${address}` : '';
  const start = since ? ` since ${since.toISOString()}` : '';
  return `process ${pid} of the database${application ? `, ${application}` : ''}${from}${start}`;
}
