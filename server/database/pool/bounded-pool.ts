import pg from 'pg';
import { BoundedClient, type BoundedConfig } from './bounded-client.js';
import type { Hosts } from './hosts.js';
import { connectionsAwaited, type PoolState, pools } from '../database-events.js';
import { DatabaseUnavailable } from '../errors/unavailable.js';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** The text of the error of pg-pool when all connections are in use for too long. */
const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';

/**
 * A pool that limits the time to connect, to wait for a free connection and to get an answer. Where the address of the
 * database names several hosts, it connects to the one that accepts writes.
 */
export class BoundedPool extends pg.Pool {
  private readonly idle = new Set<pg.PoolClient>();
  private readonly hosts: Hosts;
  private readonly poolName: string | undefined;

  constructor(config: BoundedConfig) {
    const { limits, hosts, name } = config;
    // The pool awaits the promise, although its types say void.
    const check = ((client: BoundedClient) => client.check()) as unknown as pg.PoolConfig['onConnect'];
    super({
      ...config,
      connectionTimeoutMillis: limits.wait,
      keepAlive: true,
      Client: BoundedClient as unknown as pg.PoolConfig['Client'],
      onConnect: check,
    });
    this.hosts = hosts;
    this.poolName = name;
    if (name) pools.offer(name, () => this.state());
    this.on('connect', (client) => {
      (client as unknown as BoundedClient)
        .once('silent', () => this.leaveHost())
        .once('readOnly', () => this.leaveHost());
    });
    this.on('acquire', (client) => void this.idle.delete(client));
    this.on('release', (_error, client) => {
      // The pool removes a connection that is ending.
      if ((client as unknown as BoundedClient).isSpent) void client.end();
      else this.idle.add(client);
    });
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
    const answer = this.observed(callback);
    super.connect((error, client, done) => {
      if (!error) answer(undefined, client, done);
      else if (!this.hosts.findsPrimary || error.message === NO_FREE_CONNECTION) {
        answer(unavailable(error), client, done);
      } else this.connectToPrimary(answer);
    });
  }

  /** Closes all idle connections: when one connection is dead, the others are dead too. */
  dropIdle(): void {
    for (const client of this.idle) (client as unknown as BoundedClient).destroy('Another connection is dead');
  }

  private observed(callback: Connected): Connected {
    const pool = this.poolName;
    if (!pool || !connectionsAwaited.hasSubscribers) return callback;
    const began = performance.now();
    return (error, client, done) => {
      connectionsAwaited.publish({ pool, ms: performance.now() - began, failed: error !== undefined });
      callback(error, client, done);
    };
  }

  private state(): PoolState {
    const { totalCount: open, idleCount: idle, waitingCount: waiting, options } = this;
    return { max: options.max, open, idle, waiting };
  }

  private connectToPrimary(callback: Connected): void {
    this.hosts.findPrimary().then(
      () => super.connect((error, client, done) => callback(error && unavailable(error), client, done)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /** The host may have lost its role: the search finds the new primary before the next request needs it. */
  private leaveHost(): void {
    this.dropIdle();
    // After a failure, the next connection searches again.
    if (this.hosts.findsPrimary) this.hosts.findPrimary().catch(() => undefined);
  }
}

function unavailable(error: NodeJS.ErrnoException): DatabaseUnavailable {
  return new DatabaseUnavailable(error.message || (error.code ?? error.name), error);
}
