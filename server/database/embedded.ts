import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { lockDataDir } from './data-dir-lock.js';

/**
 * PostgreSQL inside this process, its files in `<dataDir>/database`, behind the same `pg.Pool` that a real server is
 * reached by. It has a single session, so the pool has a single connection. It does not flush to disk as a real server
 * does: for development and for trying the product, not for production.
 * @returns what TypeORM takes as its `driver`
 * @throws {DataDirInUseError}
 */
export async function embeddedDriver(dataDir: string): Promise<{ Pool: typeof pg.Pool }> {
  const lock = await lockDataDir(dataDir);
  // Production images do not carry the embedded database, so it is only loaded where it is used.
  const [{ PGlite }, { createPgConfig }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/node-postgres'),
  ]);
  const database: PGlite = await PGlite.create({ dataDir: join(dataDir, 'database') });

  class EmbeddedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...(createPgConfig(database) as pg.ClientConfig) });
    }
  }

  class EmbeddedPool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      super({ ...config, Client: EmbeddedClient, max: 1, idleTimeoutMillis: 0 });
      // All clients share the one session: a transaction left open by one must not become the next one's.
      this.on('release', (_error: Error, client: pg.PoolClient) => {
        if (hasOpenTransaction(client)) void client.query('ROLLBACK').catch(() => undefined);
      });
    }

    /** With a callback as TypeORM calls it, or as a promise. */
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

/** The state that PostgreSQL reports after each query: `I` idle, `T` in a transaction, `E` in a failed one. */
function hasOpenTransaction(client: pg.PoolClient): boolean {
  const status = (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
  return status === 'T' || status === 'E';
}
