import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Env } from '../settings/env.js';
import { readBuild } from '../settings/folders.js';
import { recordSpans } from './spans.js';

const NAME = 'tic-tac-toe';
/** How long the end of the process may wait for the last spans, in milliseconds. */
const LAST_SPANS_MS = 2_000;
/** Between two lines of the log about spans that were not sent, in milliseconds. */
const QUIET_MS = 60_000;

/** Records spans and sends them over OTLP/HTTP. */
export function startTraces({ otlpEndpoint, otlpHeaders, tracedPart }: Env): OnApplicationShutdown {
  logFailures();
  const part = new TraceIdRatioBasedSampler(tracedPart);
  const exporter = new OTLPTraceExporter({
    url: `${otlpEndpoint!.replace(/\/$/, '')}/v1/traces`,
    headers: parseKeyPairsIntoRecord(otlpHeaders),
  });
  const { version } = readBuild();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': NAME,
      'service.version': version,
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    // A client can ask for any trace, so its request does not decide how many are recorded.
    sampler: new ParentBasedSampler({ root: part, remoteParentSampled: part }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  recordSpans(provider.getTracer(NAME, version));
  return {
    onApplicationShutdown: async () => {
      await Promise.race([provider.shutdown(), sleep(LAST_SPANS_MS, undefined, { ref: false })]);
    },
  };
}

/** The receiver may be away for hours, so one line in a minute is enough. */
function logFailures(): void {
  const logger = new Logger('Traces');
  let quietUntil = 0;
  const ignore = () => undefined;
  const error = (reason: string) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + QUIET_MS;
    logger.warn({ event: 'traces_unsent', reason });
  };
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
}
