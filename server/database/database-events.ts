import { Observed, ObservedValue } from '../base/observed.js';

/** A pool of connections, or the part of one that the requests of `games` may use. */
export interface PoolState {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A statement that has its answer, and its error when it failed. Its values are not here. */
export const statementsEnded = new Observed<{ readonly text: string; readonly ms: number; readonly error?: unknown }>(
  'statement.ended',
);
/** The failure to get a connection of a pool. */
export const connectionsMissed = new Observed<{ readonly pool: string }>('connection.missed');
export const pools = new ObservedValue<PoolState>();
/** Whether the server can serve requests: all must be true. */
export const readiness = new ObservedValue<Promise<boolean>>();
