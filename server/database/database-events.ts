import { Observed, ObservedValue } from '../base/observed.js';

/** A statement that has its answer. Its values are not here. */
export interface StatementEnded {
  readonly text: string;
  readonly ms: number;
  /** The error, when it failed. */
  readonly error?: unknown;
}

/** A pool of connections, or the part of one that the requests of `games` may use. */
export interface PoolState {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A connection of a pool, or the failure to get one. */
export interface ConnectionAwaited {
  readonly pool: string;
  readonly ms: number;
  readonly failed: boolean;
}

export type MigrationState = 'waits_for_server' | 'waits_for_lock' | 'runs' | 'done';

/** The code of PostgreSQL or of the system for an error, or `failed`. */
export function errorCodeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'failed';
}

export const statementsEnded = new Observed<StatementEnded>('statement.ended');
export const connectionsAwaited = new Observed<ConnectionAwaited>('connection.awaited');
export const migrationStates = new Observed<{ readonly state: MigrationState }>('migration');
export const pools = new ObservedValue<PoolState>();
/** Whether the server can serve requests: all must be true. */
export const readiness = new ObservedValue<Promise<boolean>>();
/** Whether the replica serves. Without a replica there is no source. */
export const replicas = new ObservedValue<boolean>();
