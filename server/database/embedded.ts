import { createHash } from 'node:crypto';
import { cpSync, existsSync, realpathSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { OperatorError } from '../base/errors.js';
import { makeDataDir, PREPARED_DATABASE } from '../settings/folders.js';
import { observed } from './statements.js';

/** PostgreSQL touches all of it at the start. The default of 128 MB is for a large database. */
const SHARED_BUFFERS = '8MB';

/**
 * PostgreSQL inside this process, with its files in `<dataDir>/database`, behind a `pg.Pool`. It has a single session, so
 * the pool has a single connection. It is not for production: it does not flush to disk as a real server does.
 * @returns the `driver` option of TypeORM
 * @throws {OperatorError}
 */
export async function embeddedDriver(dataDir: string): Promise<{ Pool: typeof pg.Pool }> {
  const lock = await lockDataDir(dataDir);
  const { createPgConfig } = await import('@electric-sql/pglite/node-postgres').catch((cause: unknown) => {
    throw new OperatorError(
      'The server cannot start: DATABASE_URL is missing, and the embedded database is not installed.',
      { cause },
    );
  });
  const folder = join(dataDir, 'database');
  copyPrepared(folder);
  const database = await open(folder);

  class EmbeddedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...(createPgConfig(database) as pg.ClientConfig) });
    }

    override query(...given: never[]): never {
      return observed(super.query.bind(this), given) as never;
    }
  }

  class EmbeddedPool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      super({ ...config, Client: EmbeddedClient, max: 1, idleTimeoutMillis: 0 });
      // All clients share one session: the next client must not inherit an open transaction.
      this.on('release', (_error: Error, client: pg.PoolClient) => {
        if (hasOpenTransaction(client)) void client.query('ROLLBACK').catch(() => undefined);
      });
    }

    /** TypeORM passes a callback. */
    override end(callback?: () => void): Promise<void> {
      const closed = super
        .end()
        .then(() => database.close())
        .then(() => lock.release());
      if (callback) void closed.finally(callback);
      return closed;
    }
  }
  return { Pool: EmbeddedPool };
}

/**
 * Puts the prepared database in the place of a missing one, which saves the memory and the time of its creation. Never
 * touches an existing database. The last step is a rename, so a crash leaves no half of a copy.
 * @throws {OperatorError} when this process may not read or write one of them
 */
export function copyPrepared(folder: string, prepared = PREPARED_DATABASE): void {
  if (existsSync(folder) || !existsSync(join(prepared, 'PG_VERSION'))) return;
  const copy = `${folder}.new`;
  try {
    rmSync(copy, { recursive: true, force: true });
    cpSync(prepared, copy, { recursive: true });
    renameSync(copy, folder);
  } catch (error) {
    const why = `it cannot copy ${prepared} to ${copy} (${(error as NodeJS.ErrnoException).code})`;
    const advice = 'Give its user the right to read the first, and the right and the room to write the second.';
    throw new OperatorError(`The server cannot start: ${why}. ${advice}`, { cause: error });
  }
}

/** Production images do not contain the embedded database, so it is loaded on demand. */
async function open(folder: string): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  return PGlite.create({
    dataDir: folder,
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
  });
}

/** PostgreSQL reports a status after each query: `I` idle, `T` in a transaction, `E` in a failed transaction. */
function hasOpenTransaction(client: pg.PoolClient): boolean {
  const status = (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
  return status === 'T' || status === 'E';
}

/**
 * Locks the folder for this process until `release`. The lock is a listening local socket: the operating system closes it
 * when the process dies, so no stale lock file remains.
 * @throws {OperatorError} when another process uses the folder. Two processes on one folder would lose rows.
 */
async function lockDataDir(dataDir: string): Promise<{ release: () => Promise<void> }> {
  makeDataDir(dataDir);
  const address = socketAddress(realpathSync(dataDir));
  const server = (await listen(address)) ?? ((await isLeftover(address)) ? await listen(address) : undefined);
  if (!server) {
    throw new OperatorError(
      `The data folder ${dataDir} is in use by another running server. Stop that one first, or set DATA_DIR to another folder` +
        ' (several servers on one database need PostgreSQL: set DATABASE_URL).',
    );
  }
  server.unref();
  return { release: () => new Promise((done) => server.close(() => done())) };
}

/** An abstract socket on Linux and a pipe on Windows, which end with the process; elsewhere a socket file. */
function socketAddress(folder: string): string {
  const name = `tic-tac-toe-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((settle, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') settle(undefined);
      else fail(error);
    });
    server.listen(address, () => settle(server));
  });
}

/** Removes the socket file of a killed process. Returns false when a process still listens on it. */
function isLeftover(address: string): Promise<boolean> {
  if (process.platform === 'linux' || process.platform === 'win32') return Promise.resolve(false);
  return new Promise((settle) => {
    const socket = connect(address, () => {
      socket.destroy();
      settle(false);
    });
    socket.once('error', () => {
      unlinkSync(address);
      settle(true);
    });
  });
}
