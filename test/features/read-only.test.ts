import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { metricsAt } from '../support/metrics.js';
import { eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { execute, freePort, type Postgres, startPostgres } from '../support/postgres.js';
import { PATIENT, type Server, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

const disk = smallDisk();
const metricsPort = await freePort();
let postgres: Postgres;
let server: Server;
let player: Visitor;
beforeAll(async () => {
  postgres = await startPostgres({ dataDir: disk && join(disk, 'data') });
  await execute(postgres.url, "CREATE ROLE game LOGIN PASSWORD 'secret'", 'CREATE DATABASE game OWNER game');
  const databaseUrl = Object.assign(new URL(inGame()), { username: 'game', password: 'secret' }).href;
  server = await startServer({ databaseUrl, env: { ...PATIENT, METRICS_PORT: String(metricsPort) } });
  player = await aSignedInVisitor(server);
});
afterAll(async () => {
  await server.remove();
  await postgres.stop();
  if (!disk) return;
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});
afterEach(async () => {
  await change('ALTER DATABASE game RESET default_transaction_read_only', ...IN_ALL_SESSIONS('RESET'));
  await eventually(ready, 'ready');
  await eventually(async () => (await metricsAt(metricsPort)).sum('ttt_ready'), 1);
  await eventually(write, 'GameCounted');
  expect(server.log()).not.toMatch(/"stack"|unexpected_error/);
});

/** A disk of its own, where this user may mount one. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    process.stdout.write('SKIPPED: a full disk needs the right to mount a file system.\n');
    return undefined;
  }
}

/** The database of the game, as the superuser. */
const inGame = () => Object.assign(new URL(postgres.url), { pathname: 'game' }).href;

/** The sessions of the server that are open stay as they are. */
const IN_NEW_SESSIONS = 'ALTER DATABASE game SET default_transaction_read_only = on';
const IN_ALL_SESSIONS = (set: string, to = '') => [
  `ALTER SYSTEM ${set} default_transaction_read_only${to}`,
  'SELECT pg_reload_conf()',
];
const END = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'ttt'`;

/** Runs statements on a connection that may write. */
const change = (...statements: string[]) =>
  execute(postgres.url, 'SET default_transaction_read_only = off', ...statements);
const ready = async () => {
  const { status, code } = (await (await fetch(`${server.origin}/health/ready`)).json()) as Record<string, string>;
  return status ?? code;
};
const write = () =>
  playGame(server, player, { result: 'win' }).then(
    ({ __typename }) => __typename as string,
    (error: unknown) => /SERVICE_UNAVAILABLE/.exec(String(error))?.[0] ?? String(error),
  );
const read = async () => (await player.graphql('{ me { stats { score } games { edges { node { id } } } } }')).errors;

test.each([
  ['a failover that ends all connections', [IN_NEW_SESSIONS, END]],
  ['one that keeps all connections', IN_ALL_SESSIONS('SET', ' = on')],
  [
    'one that keeps only the connection of the health check',
    [IN_NEW_SESSIONS, `${END} AND query NOT LIKE '%"readOnly"'`],
  ],
])(
  'after %s to a database that accepts no writes, the server is not ready, and reads are served',
  async (_which, how) => {
    await eventually(ready, 'ready');
    await change(...how);
    await eventually(write, 'SERVICE_UNAVAILABLE');
    await eventually(ready, 'database_read_only');
    expect(await read()).toBeUndefined();
  },
);

test('connections that stay on a database that accepts no writes are dropped when new ones may write, and nobody has to ask for the health', async () => {
  await change(IN_NEW_SESSIONS, END);
  await Promise.all(Array.from({ length: 20 }, () => read()));
  await eventually(write, 'SERVICE_UNAVAILABLE');
  await change('ALTER DATABASE game RESET default_transaction_read_only');
  await eventually(write, 'GameCounted');
});

test('a database that comes back during requests is used at once', async () => {
  await change(...IN_ALL_SESSIONS('SET', ' = on'));
  expect(new Set(await Promise.all(Array.from({ length: 10 }, () => write())))).toEqual(
    new Set(['SERVICE_UNAVAILABLE']),
  );
  await change(...IN_ALL_SESSIONS('RESET'));
  await eventually(write, 'GameCounted');
});

describe('a database that accepts no writes for a while', () => {
  const isNotReady = async (reason: string) => {
    await eventually(write, 'SERVICE_UNAVAILABLE');
    await eventually(ready, reason);
    expect((await metricsAt(metricsPort)).samples).toContainEqual({ name: 'ttt_ready', labels: { reason }, value: 0 });
  };
  const isReady = async () => {
    await eventually(ready, 'ready');
    expect(await write()).toBe('GameCounted');
  };

  (disk ? test : test.skip)('makes the server not ready while its disk is full, as the doctor says', async () => {
    const filler = join(disk!, 'filler');
    for (let size = 2 ** 20; size >= 1; size /= 2) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
    }
    await isNotReady('database_disk_full');
    expect(await read()).toBeUndefined();
    expect(await ttt(server, 'doctor')).toEqual({
      code: 1,
      said: expect.stringMatching(/PROBLEM {2}writes: .*No space left on device\n +Free its disk: TttDisk/),
    });
    rmSync(filler);
    await isReady();
    expect((await ttt(server, 'doctor')).said).toContain('writes: the database accepts them');
  });

  test('makes the server not ready while it gives no connection', async () => {
    await execute(postgres.url, 'ALTER ROLE game CONNECTION LIMIT 0', END);
    await isNotReady('database_connections_used');
    await execute(postgres.url, 'ALTER ROLE game CONNECTION LIMIT -1');
    await isReady();
  });

  test('makes the server not ready while it has no memory for a write', async () => {
    const fails = (kind: string) => `CREATE FUNCTION fail_as_${kind}() RETURNS ${kind} LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'out of memory' USING ERRCODE = '53200'; END $$`;
    await execute(
      inGame(),
      ...['trigger', 'event_trigger'].map(fails),
      'CREATE TRIGGER no_memory BEFORE INSERT ON games EXECUTE FUNCTION fail_as_trigger()',
      'CREATE EVENT TRIGGER no_memory ON ddl_command_start EXECUTE FUNCTION fail_as_event_trigger()',
    );
    await isNotReady('database_out_of_memory');
    await execute(inGame(), 'DROP EVENT TRIGGER no_memory', 'DROP TRIGGER no_memory ON games');
    await isReady();
  });
});
