import { cpSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import pg from 'pg';
import { chownToRunner, guard, hasPostgres, type Postgres, startPostgres } from '../../scripts/machine/postgres.js';

/** The standby needs PostgreSQL's programs, also where `TEST_DATABASE_URL` names a server. */
export const describeWithStandby = hasPostgres() ? describe : describe.skip;

/** A PostgreSQL and a standby that follows it. */
export interface Pair {
  readonly primary: Postgres;
  readonly standby: Postgres;
  /** Runs statements as the superuser on one of the two. */
  on(postgres: Postgres, sql: string): Promise<Record<string, unknown>[]>;
  /** Resolves once the standby has replayed all that the primary has written so far. */
  caughtUp(): Promise<void>;
  /** Makes the standby accept writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both. The standby begins as a copy of the stopped primary, so no further program is needed. */
export async function startPair(): Promise<Pair> {
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-pair-'));
  const released = guard(home);
  chownToRunner(home);
  const [first, second] = [join(home, 'primary'), join(home, 'standby')];
  const settings = {
    wal_level: 'replica',
    max_wal_senders: '5',
    hot_standby: 'on',
    wal_retrieve_retry_interval: '100ms',
  };
  const draft = await startPostgres({ dataDir: first, settings });
  await draft.stop();
  cpSync(first, second, { recursive: true, preserveTimestamps: true });
  writeFileSync(join(second, 'standby.signal'), '');
  for (const path of ['', ...readdirSync(second, { recursive: true })]) chownToRunner(join(second, String(path)));
  const primary = await startPostgres({ dataDir: first, settings });
  const { username, password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${primary.port} user=${username} password=${password}`;
  const standby = await startPostgres({ dataDir: second, settings: { ...settings, primary_conninfo: source } });
  const on = async (postgres: Postgres, sql: string) => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    primary,
    standby,
    on,
    async caughtUp() {
      const [written] = await on(primary, 'SELECT pg_current_wal_flush_lsn()::text AS lsn');
      const replayed = `SELECT pg_last_wal_replay_lsn() >= '${String(written!.lsn)}' AS done`;
      while ((await on(standby, replayed))[0]?.done !== true) await new Promise((wake) => setTimeout(wake, 20));
    },
    promote: async () => void (await on(standby, 'SELECT pg_promote(true, 60)')),
    async stop() {
      await Promise.all([primary, standby].map((postgres) => postgres.stop()));
      await released();
    },
  };
}
