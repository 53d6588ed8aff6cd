import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { PREPARED_DATABASE } from '../settings/folders.js';
import { lockDataDir } from './data-dir-lock.js';
import { observed } from './pool/observed-statements.js';

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
  const { createPgConfig } = await import('@electric-sql/pglite/node-postgres');
  const folder = join(dataDir, 'database');
  copyPrepared(folder);
  const database = await open(folder);

  class EmbeddedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...(createPgConfig(database) as pg.ClientConfig) });
      const send = this.query.bind(this) as (...given: unknown[]) => unknown;
      this.query = ((...given: unknown[]) => observed(send, given)) as typeof this.query;
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
 */
export function copyPrepared(folder: string, prepared = PREPARED_DATABASE): void {
  if (existsSync(folder) || !existsSync(join(prepared, 'PG_VERSION'))) return;
  const copy = `${folder}.new`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(prepared, copy, { recursive: true });
  renameSync(copy, folder);
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
