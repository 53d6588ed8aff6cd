import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Env } from '../settings/env.js';
import { poolOf } from './data-source.js';
import { Hosts } from './pool/hosts.js';
import { REPLICA_LIMITS } from './pool/limits.js';
import { replicas } from './database-events.js';
import { BackgroundConnections } from './background-connections.js';

/** The time between two checks of the replica, in milliseconds. */
const INTERVAL = 250;
/** The checks in a row that a replica must pass before it serves. */
const CHECKS = 3;

/** Connections of one server to the replica; one of them is for the checks. */
const CONNECTIONS = 4;

/**
 * The standby at `DATABASE_REPLICA_URL`, for reads of public data while it keeps up with the primary. A player's own data
 * always comes from the primary.
 *
 * Each check asks the replica for the primary's log position of two checks ago.
 */
@Injectable()
export class Replica implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private standby: DataSource | undefined;
  private state: 'new' | 'serves' | 'dropped' = 'new';
  private passed = 0;
  /** The primary's newest known log position, and the one before. */
  private newest: string | undefined;
  private due: string | undefined;
  private asking: Promise<void> | undefined;
  private checking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly env: Env,
    @InjectDataSource() private readonly primary: DataSource,
    private readonly background: BackgroundConnections,
  ) {}

  /** The most by which the answers may be older than those of the primary, in milliseconds. 0 while it does not serve. */
  get lag(): number {
    return this.state === 'serves' ? 3 * INTERVAL : 0;
  }

  onApplicationBootstrap(): void {
    if (!this.env.databaseReplicaUrl) return;
    replicas.offer('replica', () => this.state === 'serves');
    this.timer = setInterval(() => {
      this.checking ??= this.check().finally(() => (this.checking = undefined));
    }, INTERVAL);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.checking;
  }

  /** After the last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.standby?.destroy();
  }

  /** @returns undefined when the primary must be asked instead */
  async read<T>(work: (manager: EntityManager) => Promise<T>): Promise<T | undefined> {
    if (this.state !== 'serves') return undefined;
    try {
      return await work(this.standby!.manager);
    } catch (error) {
      this.drop(error);
      return undefined;
    }
  }

  private async check(): Promise<void> {
    // Not awaited: while the primary does not answer, the last position stays and the replica serves.
    this.asking ??= this.positionOfPrimary()
      .then((position) => void (this.newest = position))
      .catch(() => undefined)
      .finally(() => (this.asking = undefined));
    const { due, newest } = this;
    this.due = newest;
    try {
      this.standby ??= await this.connect();
      if (!due) return;
      if (!(await hasReached(this.standby, due))) throw new Error('It lags, or it is no standby');
      this.pass();
    } catch (error) {
      this.drop(error);
    }
  }

  private pass(): void {
    this.passed += 1;
    if (this.state === 'serves' || this.passed < CHECKS) return;
    this.state = 'serves';
    this.logger.log({ event: 'replica_serves' });
  }

  private drop(error: unknown): void {
    this.passed = 0;
    if (this.state === 'dropped') return;
    this.state = 'dropped';
    this.logger.warn({ event: 'replica_dropped', reason: error instanceof Error ? error.message : String(error) });
  }

  private async positionOfPrimary(): Promise<string> {
    const [row] = await this.background.query<[{ lsn: string }]>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    return row.lsn;
  }

  private connect(): Promise<DataSource> {
    const { entities } = this.primary.options;
    const options = poolOf(new Hosts(this.env.databaseReplicaUrl!), REPLICA_LIMITS, CONNECTIONS, 'replica');
    return new DataSource({ ...options, entities, migrations: [] }).initialize();
  }
}

/** False also where the host is no standby any more: after a promotion, `DATABASE_URL` leads there. */
async function hasReached(standby: DataSource, position: string): Promise<boolean> {
  const [row] = await standby.query<[{ reached: boolean | null }]>(
    'SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS reached',
    [position],
  );
  return row.reached === true;
}
