import { workEnded, works } from '../database/background-work.js';
import {
  connectionsAwaited,
  type MigrationState,
  migrationStates,
  pools,
  readiness,
} from '../database/database-events.js';
import { counter, gauge, histogram } from './instruments.js';

const STATES: readonly MigrationState[] = ['waits_for_server', 'waits_for_lock', 'runs', 'done'];

/** Seconds. The pool gives up after five. */
const WAITS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2, 5];

/** Readiness and the migration. */
export function recordDatabase(): void {
  gauge(
    'ttt_ready',
    'Whether the server can serve requests. It is 0 before the database is ready.',
    [],
    async (ready) => {
      const checks = await Promise.all(readiness.values().map(([, check]) => check));
      ready.set(checks.length > 0 && checks.every(Boolean) ? 1 : 0);
    },
  );
  const migration = gauge('ttt_migration', 'The state of the migration at the start: 1 for the current one.', [
    'state',
  ]);
  migrationStates.subscribe(({ state }) => {
    for (const each of STATES) migration.set({ state: each }, each === state ? 1 : 0);
  });
}

export function recordPools(): void {
  gauge(
    'ttt_pool_connections',
    'Connections of a pool by state. The pool "games" is the part of "requests" that may use the table games.',
    ['pool', 'state'],
    (connections) => {
      for (const [pool, { max, open, idle }] of pools.values()) {
        connections.set({ pool, state: 'idle' }, idle);
        connections.set({ pool, state: 'used' }, open - idle);
        connections.set({ pool, state: 'max' }, max);
      }
    },
  );
  gauge('ttt_pool_waiting', 'Requests that wait for a connection of the pool.', ['pool'], (requests) => {
    for (const [pool, { waiting }] of pools.values()) requests.set({ pool }, waiting);
  });
  const waits = histogram('ttt_pool_wait_seconds', 'The time until the pool gave a connection.', {
    buckets: WAITS,
    labelNames: ['pool'],
  });
  const failures = counter(
    'ttt_pool_failures_total',
    'Requests for a connection that got none: all were in use for too long, or the database did not answer.',
    'pool',
  );
  connectionsAwaited.subscribe(({ pool, ms, failed }) => {
    waits.observe({ pool }, ms / 1000);
    if (failed) failures.inc({ pool });
  });
}

/** Work in the background: its runs, and whether it is late. */
export function recordBackgroundWork(): void {
  const runs = counter('ttt_background_runs_total', 'Runs of work in the background.', 'work', 'outcome');
  workEnded.subscribe(({ work, failed }) => runs.inc({ work, outcome: failed ? 'failed' : 'done' }));
  gauge(
    'ttt_background_since_success_seconds',
    'The time since the last successful run, or since the start before the first one.',
    ['work'],
    (seconds) => {
      for (const [work, { sinceSuccess }] of works.values()) seconds.set({ work }, sinceSuccess);
    },
  );
  gauge('ttt_background_interval_seconds', 'The time from one run to the next.', ['work'], (seconds) => {
    for (const [work, { interval }] of works.values()) seconds.set({ work }, interval);
  });
}
