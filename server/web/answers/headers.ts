import type { IncomingMessage } from 'node:http';
import type { Env } from '../../settings/env.js';
import type { Middleware } from './answers.js';
import { pathOf } from '../requests/request.js';

const PAGE = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/** GraphiQL's editor writes style elements and starts its workers from blobs. */
const PLAYGROUND = {
  ...PAGE,
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'worker-src': "'self' blob:",
};

/** The headers of all answers, which tell browsers to be strict. */
const CONSTANT: readonly (readonly [string, string])[] = [
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Download-Options', 'noopen'],
  ['X-Frame-Options', 'DENY'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  // The filter of old browsers has holes of its own.
  ['X-XSS-Protection', '0'],
];

/**
 * The headers that protect a page from framing, content sniffing and injected content.
 * @param hashesOf of the inline scripts and styles of the built pages
 * @param pictureHosts the only other hosts from which a page may load anything
 */
export function securityHeaders(
  env: Env,
  hashesOf: (element: 'script' | 'style') => readonly string[],
  pictureHosts: readonly string[],
): Middleware {
  const https = env.publicOrigin.startsWith('https:');
  const pictures = pictureHosts.map((host) => `https://${host}`);
  const headersWith = (directives: typeof PAGE) => {
    const policy = {
      ...directives,
      'script-src': [directives['script-src'], ...hashesOf('script')].join(' '),
      'img-src': [directives['img-src'], ...pictures].join(' '),
    };
    const headers = new Map(CONSTANT);
    headers.set(
      'Content-Security-Policy',
      Object.entries(policy)
        .map((directive) => directive.join(' '))
        .join(';'),
    );
    if (https) headers.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains');
    return headers;
  };
  // With a hash, browsers ignore 'unsafe-inline', which the playground needs.
  const page = headersWith({ ...PAGE, 'style-src': [PAGE['style-src'], ...hashesOf('style')].join(' ') });
  const playground = headersWith(PLAYGROUND);
  return (request, response, next) => {
    response.setHeaders(/^\/playground(\/|$)/.test(pathOf(request)) ? playground : page);
    next();
  };
}

/** The headers that pages of `CORS_ORIGINS` may send: never the one that the session endpoints require. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  // GraphQL clients send these to name themselves and their operations, and to continue traces.
  'apollo-require-preflight',
  'apollographql-client-name',
  'apollographql-client-version',
  'traceparent',
  'x-apollo-operation-name',
].join(',');

/** Whether everybody may read it without a token. */
function isPublicRead(request: IncomingMessage): boolean {
  const { method, headers } = request;
  const asked = method === 'OPTIONS' ? headers['access-control-request-method'] : method;
  return (asked === 'GET' || asked === 'HEAD') && /^\/api\/leaderboard\/?$/i.test(pathOf(request));
}

/** Lets pages of `CORS_ORIGINS` use the API, and all pages read what is public. Never with cookies. */
export function otherOrigins({ corsOrigins }: Env): Middleware {
  return (request, response, next) => {
    const { origin = '' } = request.headers;
    const isListed = corsOrigins.includes(origin);
    if (corsOrigins.length > 0) response.setHeader('Vary', 'Origin');
    if (!isListed && !isPublicRead(request)) return next();
    response.setHeader('Access-Control-Allow-Origin', isListed ? origin : '*');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', isListed ? 'GET,POST' : 'GET');
      response.setHeader('Access-Control-Allow-Headers', isListed ? ALLOWED_HEADERS : 'If-None-Match');
      response.setHeader('Access-Control-Max-Age', '600');
    }
    response.setHeader('Access-Control-Expose-Headers', 'ETag,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id');
    next();
  };
}

/** Ends a preflight after the request limit, because a preflight counts as a request. */
export const answerPreflight: Middleware = (request, response, next) => {
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) response.writeHead(204).end();
  else next();
};
