/** Starts a PgBouncer for tests, in transaction mode and otherwise with its default settings. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureProgram, findProgram } from './debian.js';
import { freePort, listens } from './port.js';
import { chownToRunner, guard, runner } from './postgres.js';

const READY_WITHIN_MS = 30_000;

export const findPgBouncer = () => findProgram('pgbouncer');

export const ensurePgBouncer = () =>
  ensureProgram({ name: 'PgBouncer', program: 'pgbouncer', purpose: 'the tests behind a pooler' });

/**
 * @typedef {object} Pooler
 * @property {number} port
 * @property {(url: string) => string} urlOf   the address of a database of that PostgreSQL, through the pooler
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a PgBouncer in front of a PostgreSQL on this machine. It serves every database of the user in the address.
 * @param {string} target
 * @param {Record<string, string>} [settings]
 * @returns {Promise<Pooler>}
 */
export async function startPgBouncer(target, settings) {
  const program = findPgBouncer();
  if (!program) throw new Error('PgBouncer was not found on this machine (on Debian: apt-get install pgbouncer).');
  const { hostname, port: targetPort, username, password } = new URL(target);
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-pgbouncer-'));
  const released = guard(home);
  chownToRunner(home);
  const users = join(home, 'users');
  const file = join(home, 'pgbouncer.ini');
  const options = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: 'transaction',
    // All servers of a test run together have more connections than the default of 100.
    max_client_conn: '1000',
    ...settings,
  });
  const lines = ['[databases]', `* = host=${hostname} port=${targetPort}`, '[pgbouncer]'];
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`, { mode: 0o600 });
  writeFileSync(file, [...lines, ...options.map(([name, value]) => `${name} = ${value}`), ''].join('\n'));
  chownToRunner(users);
  chownToRunner(file);
  const child = spawn(program, ['-q', file], { ...runner, cwd: home, detached: true, stdio: 'ignore' });
  child.unref();
  writeFileSync(join(home, 'pid'), String(child.pid));
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await released();
      throw new Error('PgBouncer did not start');
    }
    await pause(20);
  }
  return {
    port,
    urlOf: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.ref();
        child.kill('SIGTERM');
        await ended;
      }
      await released();
    },
  };
}
