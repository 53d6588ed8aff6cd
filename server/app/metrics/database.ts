import { works } from '../../database/background-work.js';
import { connectionsMissed, pools } from '../../database/pool.js';
import { readiness } from '../../database/readiness.js';
import { counter, gauge } from './instruments.js';

export function recordReadiness(): void {
  gauge(
    'ttt_ready',
    'Whether the server can serve requests. It is 0 before the database is ready.',
    [],
    async (ready) => {
      const checks = await Promise.all(readiness.values().map(([, check]) => check));
      ready.set(checks.length > 0 && checks.every(Boolean) ? 1 : 0);
    },
  );
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
  const failures = counter(
    'ttt_pool_failures_total',
    'Requests for a connection that got none: all were in use for too long, or the database did not answer.',
    'pool',
  );
  connectionsMissed.subscribe(({ pool }) => failures.inc({ pool }));
}

export function recordBackgroundWork(): void {
  gauge(
    'ttt_background_since_success_seconds',
    'The time since the last successful run, or since the start before the first one.',
    ['work'],
    (seconds) => {
      for (const [work, sinceSuccess] of works.values()) seconds.set({ work }, sinceSuccess);
    },
  );
}
