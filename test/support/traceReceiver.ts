import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP/HTTP sends it in JSON. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: (Omit<Span, 'attributes'> & { attributes: Attribute[] })[] }[] }[];
}
interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

const KEY = 'the key of the receiver';

/** Receives traces over OTLP/HTTP with a key. */
export interface TraceReceiver {
  readonly origin: string;
  /** For OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers: string;
  readonly spans: readonly Span[];
  /** All that was sent, as text. */
  text(): string;
  stop(): Promise<void>;
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: Span[] = [];
  let text = '';
  const server = createServer((request, response) => {
    read(request).then((body) => {
      const { 'content-type': type, 'x-api-key': key } = request.headers;
      if (request.url === '/v1/traces' && type === 'application/json' && key === KEY) {
        text += body;
        spans.push(...spansOf(JSON.parse(body) as Sent));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }, response.destroy.bind(response));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: `x-api-key=${encodeURIComponent(KEY)}`,
    spans,
    text: () => text,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function spansOf({ resourceSpans }: Sent): Span[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans)
    .map((span) => ({
      ...span,
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }));
}
