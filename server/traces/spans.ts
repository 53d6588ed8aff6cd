import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  type ProviderRequest,
  providerRequestsBegun,
  providerRequestsEnded,
} from '../auth/sign-in/providers/provider-fetch.js';
import { errorCodeOf, statementsEnded } from '../database/database-events.js';
import { statementName } from '../database/pool/observed-statements.js';
import { operationsBegun, operationsEnded } from '../graphql/operation-events.js';
import {
  currentRequest,
  followRequests,
  type RequestContext,
  requestsBegun,
  requestsEnded,
} from '../web/requests/request-context.js';

const ERROR = { code: SpanStatusCode.ERROR };
const HEALTH = /^\/health\//;

const propagator = new W3CTraceContextPropagator();
/** The open spans of a request and of what it does. */
const requests = new WeakMap<RequestContext, Span>();
const operations = new WeakMap<RequestContext, Span>();
const sent = new WeakMap<ProviderRequest, Span>();

const innermost = (context: RequestContext | undefined) =>
  context && (operations.get(context) ?? requests.get(context));
const within = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);

/**
 * Records a span for each request, its GraphQL operation, its statements and its requests to providers. No span holds an
 * address, a token, a query string, a value or a player. Work without a request has no spans.
 */
export function recordSpans(tracer: Tracer): void {
  followRequests();
  recordRequests(tracer);
  recordOperations(tracer);
  recordStatements(tracer);
  recordProviderRequests(tracer);
}

function recordRequests(tracer: Tracer): void {
  requestsBegun.subscribe(({ context, headers }) => {
    const remote = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const attributes = { 'ttt.request_id': context.id };
    requests.set(context, tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, remote));
  });
  requestsEnded.subscribe(({ context, method, status }) => {
    const span = requests.get(context);
    const { route = 'unknown' } = context;
    // A span without an end is not sent.
    if (!span || HEALTH.test(route)) return;
    span.updateName(`${method} ${route}`);
    span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
    if (status >= 500) span.setStatus(ERROR);
    span.end();
  });
}

function recordOperations(tracer: Tracer): void {
  operationsBegun.subscribe(({ context, type, name }) => {
    const request = requests.get(context);
    if (!request) return;
    const attributes = { 'graphql.operation.type': type, 'graphql.operation.name': name };
    operations.set(context, tracer.startSpan(`${type} ${name}`, { attributes }, within(request)));
  });
  operationsEnded.subscribe(({ context }) => {
    const span = operations.get(context);
    if (!span) return;
    operations.delete(context);
    const codes = context.errorCodes?.() ?? [];
    if (codes.length > 0) span.setAttribute('ttt.error_codes', [...codes]);
    if (codes.includes('INTERNAL_SERVER_ERROR')) span.setStatus(ERROR);
    span.end();
  });
}

function recordStatements(tracer: Tracer): void {
  statementsEnded.subscribe(({ text, ms, error }) => {
    const parent = innermost(currentRequest());
    if (!parent?.isRecording()) return;
    const name = statementName(text);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
    const startTime = performance.now() - ms;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime }, within(parent));
    if (error) {
      span.setAttribute('error.type', errorCodeOf(error));
      span.setStatus(ERROR);
    }
    span.end();
  });
}

function recordProviderRequests(tracer: Tracer): void {
  providerRequestsBegun.subscribe((request) => {
    const parent = innermost(currentRequest());
    if (!parent) return;
    const { method, host, headers } = request;
    const attributes = { 'http.request.method': method, 'server.address': host };
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, within(parent));
    sent.set(request, span);
    propagator.inject(within(span), headers, defaultTextMapSetter);
  });
  providerRequestsEnded.subscribe((request) => {
    const span = sent.get(request);
    if (!span) return;
    const { outcome } = request;
    if (typeof outcome === 'number') span.setAttribute('http.response.status_code', outcome);
    if (typeof outcome !== 'number' || outcome >= 500) span.setStatus(ERROR);
    span.end();
  });
}
