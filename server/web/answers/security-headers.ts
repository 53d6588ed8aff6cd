import type { FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import helmet from 'helmet';
import type { Env } from '../../settings/env.js';
import { pathOf, type Step } from '../requests/request.js';

const PAGE = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

const TWO_YEARS = 63_072_000;

/**
 * The headers of helmet with our policies. @fastify/helmet would build them anew for each request.
 * @param hashesOf of the inline scripts and styles of the built pages
 * @param pictureHosts the only other hosts from which a page may load anything
 */
export function securityHeaders(
  { publicOrigin }: Env,
  hashesOf: (element: 'script' | 'style') => readonly string[],
  pictureHosts: readonly string[],
): Step {
  const scripts = [...PAGE['script-src'], ...hashesOf('script')];
  const pictures = [...PAGE['img-src'], ...pictureHosts.map((host) => `https://${host}`)];
  const headersWith = (directives: Partial<typeof PAGE>) =>
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { ...PAGE, 'script-src': scripts, 'img-src': pictures, ...directives },
      },
      // For this host alone: others of the domain may have no https.
      strictTransportSecurity: publicOrigin.startsWith('https:') && { maxAge: TWO_YEARS, includeSubDomains: false },
      xFrameOptions: { action: 'deny' },
    });
  const page = headersWith({ 'style-src': [...PAGE['style-src'], ...hashesOf('style')] });
  // GraphiQL's editor writes style elements and starts its workers from blobs. With a hash, browsers ignore 'unsafe-inline'.
  const playground = headersWith({
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ["'self'", 'data:'],
    'worker-src': ["'self'", 'blob:'],
  });
  return ({ raw }, reply, done) =>
    (/^\/playground(\/|$)/.test(pathOf(raw)) ? playground : page)(raw, reply.raw, () => done());
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
];

const EXPOSED_HEADERS = 'ETag,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id';

/** Whether everybody may read it without a token. */
function isPublicRead({ method, headers, raw }: FastifyRequest): boolean {
  const asked = method === 'OPTIONS' ? headers['access-control-request-method'] : method;
  return (asked === 'GET' || asked === 'HEAD') && /^\/api\/leaderboard\/?$/i.test(pathOf(raw));
}

/** Lets pages of `CORS_ORIGINS` use the API, and all pages read what is public. Never with cookies. */
export function otherOrigins({ corsOrigins }: Env): FastifyCorsOptionsDelegateCallback {
  // A preflight pays for itself like any request, so its handler answers it, behind the limits.
  const answer = { exposedHeaders: EXPOSED_HEADERS, maxAge: 600, preflightContinue: true, strictPreflight: false };
  const listed = { ...answer, methods: ['GET', 'POST'], allowedHeaders: ALLOWED_HEADERS };
  const everybody = { ...answer, origin: '*', methods: ['GET'], allowedHeaders: ['If-None-Match'] };
  return (request, set) => {
    const { origin = '' } = request.headers;
    if (corsOrigins.includes(origin)) set(null, { ...listed, origin });
    else set(null, isPublicRead(request) ? everybody : { origin: false });
  };
}
