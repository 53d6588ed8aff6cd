import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../scripts/machine/debian.js';
import { listens } from '../../scripts/machine/port.js';
import { eventually } from './page.js';
import { freePort } from './postgres.js';

/** PgBouncer before a database, with the line of settings that `docs/operations.md` names. */
export async function startPgBouncer(target: string, settings: readonly string[]) {
  const { hostname, port, username, password, pathname } = new URL(target);
  const listenPort = await freePort();
  const home = mkdtempSync('/tmp/pgbouncer-');
  // It does not run as root.
  chmodSync(home, 0o755);
  const file = join(home, 'pgbouncer.ini');
  const database = `* = host=${hostname} port=${port} user=${username} password=${password}`;
  const own = ['listen_addr = 127.0.0.1', `listen_port = ${listenPort}`, 'unix_socket_dir =', 'auth_type = any'];
  writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...own, ...settings].join('\n'));
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', file] : [file];
  const child = spawn(findProgram('pgbouncer')!, args, { stdio: 'ignore' });
  await eventually(() => listens(listenPort), true);
  return {
    url: `postgresql://${username}@127.0.0.1:${listenPort}${pathname}`,
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true });
    },
  };
}
