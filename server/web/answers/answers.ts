import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';

/** Answers a request, or passes it on with `next`. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: Error) => void) => void;

export function answerJson(response: ServerResponse, status: number, value: unknown, type = 'application/json'): void {
  end(response, status, `${type}; charset=utf-8`, JSON.stringify(value));
}

export function answerHtml(response: ServerResponse, status: number, markup: string): void {
  end(response, status, 'text/html; charset=utf-8', markup);
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location, 'Content-Length': 0 }).end();
}

/** Browsers that navigate prefer HTML, programs prefer JSON or do not care. */
export function prefersHtml(request: Pick<IncomingMessage, 'headers'>): boolean {
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
}

/**
 * Whether the client already has the answer with this tag (RFC 9110, section 13.1.2). `Cache-Control: no-cache` changes
 * nothing: fetch() adds it to each condition of a script.
 */
export function hasCurrent({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match'] ?? '';
  return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  // Node sends no body to HEAD.
  response.end(text);
}
