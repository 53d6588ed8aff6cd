import type { IncomingMessage, ServerResponse } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import helmet from 'helmet';
import type { Env } from '../../settings/env.js';
import { pathOf } from '../requests/request.js';

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
 * The headers of helmet with our policies, built once: it and @fastify/helmet would build them anew for each request.
 * @param hashesOf of the inline scripts and styles of the built pages
 * @param pictureHosts the only other hosts from which a page may load anything
 */
export function securityHeaders(
  { publicOrigin }: Env,
  hashesOf: (element: 'script' | 'style') => readonly string[],
  pictureHosts: readonly string[],
): onRequestHookHandler {
  const scripts = [...PAGE['script-src'], ...hashesOf('script')];
  const pictures = [...PAGE['img-src'], ...pictureHosts.map((host) => `https://${host}`)];
  const headersWith = (directives: Partial<typeof PAGE>) => {
    const headers = new Map<string, string>();
    const set = helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { ...PAGE, 'script-src': scripts, 'img-src': pictures, ...directives },
      },
      // For this host alone: others of the domain may have no https.
      strictTransportSecurity: publicOrigin.startsWith('https:') && { maxAge: TWO_YEARS, includeSubDomains: false },
      xFrameOptions: { action: 'deny' },
      xPoweredBy: false,
    });
    const setHeader = (name: string, value: string) => headers.set(name, value);
    set({} as IncomingMessage, { setHeader } as unknown as ServerResponse, () => undefined);
    return headers;
  };
  const page = headersWith({ 'style-src': [...PAGE['style-src'], ...hashesOf('style')] });
  // GraphiQL's editor writes style elements and starts its workers from blobs. With a hash, browsers ignore 'unsafe-inline'.
  const playground = headersWith({
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ["'self'", 'data:'],
    'worker-src': ["'self'", 'blob:'],
  });
  return ({ raw }, reply, done) => {
    reply.raw.setHeaders(/^\/playground(\/|$)/.test(pathOf(raw)) ? playground : page);
    done();
  };
}
