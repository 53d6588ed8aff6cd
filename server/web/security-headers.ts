import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Env } from '../env.js';

const PAGE = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** GraphiQL's editor writes style elements and starts its workers from blobs. */
const PLAYGROUND = {
  ...PAGE,
  styleSrc: ["'self'", "'unsafe-inline'"],
  fontSrc: ["'self'", 'data:'],
  workerSrc: ["'self'", 'blob:'],
};

/** The sources of the content security policy that depend on the build and on the providers. */
interface PolicySources {
  /** The hashes of the inline scripts. */
  readonly inlineScripts: readonly string[];
  /** The only other hosts from which a page may load anything. */
  readonly pictureHosts: readonly string[];
}

/** The headers that protect a page from framing, content sniffing and injected content. */
export function securityHeaders(env: Env, { inlineScripts, pictureHosts }: PolicySources): RequestHandler {
  const https = env.publicOrigin.startsWith('https:');
  const pictures = pictureHosts.map((host) => `https://${host}`);
  const withPolicy = (directives: typeof PAGE) =>
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          ...directives,
          scriptSrc: [...directives.scriptSrc, ...inlineScripts],
          imgSrc: [...directives.imgSrc, ...pictures],
        },
      },
      strictTransportSecurity: https && { maxAge: 63_072_000, includeSubDomains: true },
      referrerPolicy: { policy: 'no-referrer' },
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
    });
  const page = withPolicy(PAGE);
  const playground = withPolicy(PLAYGROUND);
  return (request, response, next) =>
    (/^\/playground(\/|$)/.test(request.path) ? playground : page)(request, response, next);
}
