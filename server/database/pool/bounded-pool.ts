import pg from 'pg';
import { BoundedClient, type BoundedConfig } from './bounded-client.js';
import { connectionsMissed, type PoolState, pools } from '../database-events.js';
import { Unavailable } from '../../base/errors.js';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool that limits the time to connect, to wait for a free connection and to get an answer. */
export class BoundedPool extends pg.Pool {
  private readonly idle = new Set<pg.PoolClient>();
  private readonly poolName: string | undefined;

  constructor(config: BoundedConfig) {
    const { limits, name } = config;
    super({
      ...config,
      connectionTimeoutMillis: limits.wait,
      keepAlive: true,
      Client: BoundedClient as unknown as pg.PoolConfig['Client'],
    });
    this.poolName = name;
    if (name) pools.offer(name, () => this.state());
    this.on('connect', (client) => (client as unknown as BoundedClient).once('silent', () => this.dropIdle()));
    this.on('acquire', (client) => void this.idle.delete(client));
    this.on('release', (_error, client) => void this.idle.add(client));
    this.on('remove', (client) => void this.idle.delete(client));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (error ? reject(error) : resolve(client!))),
      );
    }
    super.connect((error, client, done) => {
      if (error && this.poolName) connectionsMissed.publish({ pool: this.poolName });
      callback(error && unavailable(error), client, done);
    });
  }

  /** Closes all idle connections: when one connection is dead, the others are dead too. */
  dropIdle(): void {
    for (const client of this.idle) (client as unknown as BoundedClient).destroy('Another connection is dead');
  }

  private state(): PoolState {
    const { totalCount: open, idleCount: idle, waitingCount: waiting, options } = this;
    return { max: options.max, open, idle, waiting };
  }
}

function unavailable(error: NodeJS.ErrnoException): Unavailable {
  return new Unavailable(error.message || (error.code ?? error.name), { cause: error });
}
