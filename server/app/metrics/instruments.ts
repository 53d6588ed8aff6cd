import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { signInsEnded } from '../../auth/sign-in/sign-in-failed.js';
import type { ObservedValue } from '../../base/events.js';
import { works } from '../../database/background-work.js';
import { connectionsMissed, pools } from '../../database/pool.js';
import { backupAge, notReady } from '../../database/readiness.service.js';
import { gamesAnswered } from '../../stats/game-log.js';
import { watchers } from '../../leaderboard/leaderboard-poller.service.js';
import { openSockets } from '../../graphql/sockets.js';
import { requestsRefused } from '../../limits/refused.js';
import { requestsEnded } from '../../web/requests/request.js';

export const registry = new Registry();
const registers = [registry];

function counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
  return new Counter({ name, help, labelNames, registers });
}

/** @param collect sets the values when Prometheus asks for them */
export function gauge<Label extends string = never>(
  name: string,
  help: string,
  labelNames: Label[] = [],
  collect?: (gauge: Gauge<Label>) => void | Promise<void>,
): Gauge<Label> {
  const created: Gauge<Label> = new Gauge({ name, help, labelNames, registers, collect: () => collect?.(created) });
  return created;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** The refusals whose reason is one of our own words. */
const OWN_REASONS: ReadonlySet<string> = new Set(['ticket_refused', 'link_refused']);

/** Seconds. Most answers take some milliseconds, and no wait for the database is longer than five seconds. */
const DURATIONS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** HTTP requests, GraphQL errors and refusals. Routes and operations come from the server's own tables and schema. */
function recordRequests(): void {
  const requests = counter(
    'ttt_http_requests_total',
    'Answered requests. A request over the limit of its address counts only in ttt_refusals_total.',
    'method',
    'route',
    'operation',
    'status',
  );
  const durations = new Histogram({
    name: 'ttt_http_request_duration_seconds',
    help: 'The time from the arrival of a request to the end of its answer.',
    labelNames: ['route', 'operation'],
    buckets: DURATIONS,
    registers,
  });
  const errors = counter(
    'ttt_graphql_errors_total',
    'Answers of GraphQL with an error of this code.',
    'operation',
    'code',
  );
  const refused = counter(
    'ttt_refusals_total',
    'Refusals by their code in the audit trail, or by their status.',
    'event',
    'code',
  );
  requestsEnded.subscribe(({ context, method, aborted, ms, ...answer }) => {
    const { route = 'unknown', operation = '', errorCodes } = context;
    const status = aborted ? 'aborted' : answer.status;
    requests.inc({ method: METHODS.has(method) ? method : 'other', route, operation, status });
    durations.observe({ route, operation }, ms / 1000);
    if (errorCodes) for (const code of errorCodes()) errors.inc({ operation, code });
  });
  requestsRefused.subscribe(({ event, code, reason, status = '' }) => {
    refused.inc({ event, code: code ?? (OWN_REASONS.has(event) ? reason : undefined) ?? String(status) });
  });
}

function recordGames(): void {
  const games = counter(
    'ttt_games_total',
    'Finished games that the server has counted, now or before (repeated).',
    'source',
    'outcome',
  );
  const refused = counter('ttt_games_refused_total', 'Finished games that the server has refused.', 'source', 'reason');
  for (const outcome of ['counted', 'repeated']) games.inc({ source: 'verified', outcome }, 0);
  gamesAnswered.subscribe(({ source, outcome }) => {
    if (outcome === 'counted' || outcome === 'repeated') games.inc({ source, outcome });
    else refused.inc({ source, reason: outcome });
  });
}

function recordSignIns(): void {
  const help = 'Sign-ins that came back from the provider (signed_in) or failed.';
  const signIns = counter('ttt_sign_ins_total', help, 'provider', 'outcome');
  const failures = counter(
    'ttt_provider_failures_total',
    "Sign-ins that failed because a provider's endpoint did not answer, or refused this server.",
    'provider',
  );
  signInsEnded.subscribe(({ provider, outcome, atProvider }) => {
    signIns.inc({ provider, outcome });
    if (atProvider) failures.inc({ provider });
  });
}

function recordState(): void {
  const sum = (value: ObservedValue<number>) => value.values().reduce((total, [, value]) => total + value, 0);
  gauge('ttt_sockets', 'Open sockets.', [], (sockets) => sockets.set(sum(openSockets)));
  gauge('ttt_watchers', 'Subscriptions to the live leaderboard.', [], (all) => all.set(sum(watchers)));
  gauge(
    'ttt_ready',
    'Whether the server can serve requests, with the reason when it cannot.',
    ['reason'],
    async (ready) => {
      const [problem] = notReady.values();
      const reason = problem ? await problem[1] : 'starting';
      ready.reset();
      if (reason) ready.set({ reason }, 0);
      else ready.set({}, 1);
    },
  );
  gauge('ttt_backup_age_seconds', 'The time since the newest backup.', [], async (age) => {
    for (const [, seconds] of backupAge.values()) age.set(await seconds);
  });
  gauge(
    'ttt_background_since_success_seconds',
    'The time since the last successful run, or since the start before the first one.',
    ['work'],
    (seconds) => {
      for (const [work, sinceSuccess] of works.values()) seconds.set({ work }, sinceSuccess);
    },
  );
}

function recordPools(): void {
  gauge('ttt_pool_connections', 'Connections of a pool by state.', ['pool', 'state'], (connections) => {
    for (const [pool, { max, open, idle }] of pools.values()) {
      connections.set({ pool, state: 'idle' }, idle);
      connections.set({ pool, state: 'used' }, open - idle);
      connections.set({ pool, state: 'max' }, max);
    }
  });
  gauge(
    'ttt_pool_waiting',
    'Requests that wait for a connection of the pool, or for the turn of their network.',
    ['pool'],
    (requests) => {
      for (const [pool, { waiting }] of pools.values()) requests.set({ pool }, waiting);
    },
  );
  const failures = counter(
    'ttt_pool_failures_total',
    'Requests for a connection that got none: all were in use for too long, or the database did not answer. In "games": no batch took the game.',
    'pool',
  );
  connectionsMissed.subscribe(({ pool }) => failures.inc({ pool }));
}

export function recordAll(): void {
  recordRequests();
  recordPools();
  recordGames();
  recordSignIns();
  recordState();
}
