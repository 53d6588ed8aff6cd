import { Counter, Histogram, type Registry } from 'prom-client';
import { refusals } from '../web/answers/refusals.js';
import { requestsEnded } from '../web/requests/request-events.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** The refusals whose reason is one of our own words. */
const OWN_REASONS: ReadonlySet<string> = new Set(['ticket_refused', 'link_refused']);

/** Seconds. Most answers take some milliseconds, and no wait for the database is longer than five seconds. */
const DURATIONS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** HTTP requests, GraphQL errors and refusals. Routes and operations come from the server's own tables and schema. */
export function recordRequests(registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'ttt_http_requests_total',
    help: 'Answered requests. A request over the limit of its address counts only in ttt_refusals_total.',
    labelNames: ['method', 'route', 'operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'ttt_http_request_duration_seconds',
    help: 'The time from the arrival of a request to the end of its answer.',
    labelNames: ['route', 'operation'],
    buckets: DURATIONS,
    registers,
  });
  const errors = new Counter({
    name: 'ttt_graphql_errors_total',
    help: 'Answers of GraphQL with an error of this code.',
    labelNames: ['operation', 'code'],
    registers,
  });
  const refused = new Counter({
    name: 'ttt_refusals_total',
    help: 'Refusals by their code in the audit trail, or by their status.',
    labelNames: ['event', 'code'],
    registers,
  });
  requestsEnded.subscribe(({ context, method, aborted, ms, ...answer }) => {
    const { route = 'unknown', operation = '', errorCodes } = context;
    const status = aborted ? 'aborted' : answer.status;
    requests.inc({ method: METHODS.has(method) ? method : 'other', route, operation, status });
    durations.observe({ route, operation }, ms / 1000);
    if (errorCodes) for (const code of errorCodes()) errors.inc({ operation, code });
  });
  refusals.subscribe(({ event, code, reason, status = '' }) => {
    refused.inc({ event, code: code ?? (OWN_REASONS.has(event) ? reason : undefined) ?? String(status) });
  });
}
