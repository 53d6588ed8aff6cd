import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import {
  connectionsAwaited,
  type MigrationState,
  migrationStates,
  pools,
  readiness,
  replicas,
} from '../database/database-events.js';

const STATES: readonly MigrationState[] = ['waits_for_server', 'waits_for_lock', 'runs', 'done'];

/** Seconds. The pool gives up after five. */
const WAITS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2, 5];

/** Pools, readiness, the migration and the replica. */
export function recordDatabase(registry: Registry): void {
  const registers = [registry];
  recordPools(registers);
  new Gauge({
    name: 'ttt_ready',
    help: 'Whether the server can serve requests. It is 0 before the database is ready.',
    registers,
    async collect() {
      const checks = await Promise.all(readiness.values().map(([, check]) => check));
      this.set(checks.length > 0 && checks.every(Boolean) ? 1 : 0);
    },
  });
  const migration = new Gauge({
    name: 'ttt_migration',
    help: 'The state of the migration at the start: 1 for the current one.',
    labelNames: ['state'],
    registers,
  });
  migrationStates.subscribe(({ state }) => {
    for (const each of STATES) migration.set({ state: each }, each === state ? 1 : 0);
  });
  new Gauge({
    name: 'ttt_replica_serves',
    help: 'Whether the replica serves public data. Absent without a replica.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const [replica, serves] of replicas.values()) this.set({ replica }, serves ? 1 : 0);
    },
  });
}

function recordPools(registers: Registry[]): void {
  new Gauge({
    name: 'ttt_pool_connections',
    help: 'Connections of a pool by state. The pool "games" is the part of "requests" that may use the table games.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { max, open, idle }] of pools.values()) {
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'used' }, open - idle);
        this.set({ pool, state: 'max' }, max);
      }
    },
  });
  new Gauge({
    name: 'ttt_pool_waiting',
    help: 'Requests that wait for a connection of the pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waiting }] of pools.values()) this.set({ pool }, waiting);
    },
  });
  const waits = new Histogram({
    name: 'ttt_pool_wait_seconds',
    help: 'The time until the pool gave a connection.',
    labelNames: ['pool'],
    buckets: WAITS,
    registers,
  });
  const failures = new Counter({
    name: 'ttt_pool_failures_total',
    help: 'Requests for a connection that got none: all were in use for too long, or the database did not answer.',
    labelNames: ['pool'],
    registers,
  });
  connectionsAwaited.subscribe(({ pool, ms, failed }) => {
    waits.observe({ pool }, ms / 1000);
    if (failed) failures.inc({ pool });
  });
}
