import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { PICTURE_HOSTS } from '../auth/players/profile.js';
import type { Env } from '../env.js';

/** The only foreign addresses that a page of ours may load from. */
const PICTURES = Object.values(PICTURE_HOSTS).flatMap((hosts) => hosts.map((host) => `https://${host}`));

const PAGE = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', ...PICTURES],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** GraphiQL's editor writes style elements and starts its workers from blobs; nothing else of ours may. */
const PLAYGROUND = {
  ...PAGE,
  styleSrc: ["'self'", "'unsafe-inline'"],
  fontSrc: ["'self'", 'data:'],
  workerSrc: ["'self'", 'blob:'],
};

/**
 * The headers that keep a page of ours from being framed, sniffed, or made to load what we did not write.
 * @param inlineScripts what may run though it is no file of its own, as sources of the policy
 */
export function securityHeaders(env: Env, inlineScripts: readonly string[]): RequestHandler {
  const https = env.publicOrigin.startsWith('https:');
  const withPolicy = (directives: Record<string, string[]>) =>
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { ...directives, scriptSrc: [...PAGE.scriptSrc, ...inlineScripts] },
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
