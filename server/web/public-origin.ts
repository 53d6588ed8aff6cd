import type { RequestHandler } from 'express';
import type { Env } from '../env.js';
import { PAGE_PATHS } from './page.js';

const PLAYGROUND = /^\/playground\/?$/;

/** Marks a browser that was just sent on: coming back with it, it came to the public origin and we cannot see that. */
const SENT_ON = 'sent_on=1';
const SENT_ON_SECONDS = 10;

/**
 * A page opened by another name of this server, such as 127.0.0.1 for localhost, could never sign in: the sign-in ends at
 * the public origin, and cookies and storage belong to one host. So whoever opens a page elsewhere is sent there. Programs
 * are not: health checks come by whatever address they know.
 */
export function toPublicOrigin({ publicOrigin }: Env): RequestHandler {
  const { host } = new URL(publicOrigin);
  return (request, response, next) => {
    const { method, path, headers } = request;
    const opensPage =
      (method === 'GET' || method === 'HEAD') &&
      (PAGE_PATHS.has(path) || PLAYGROUND.test(path)) &&
      headers.accept?.includes('text/html');
    // Behind a trusted proxy this is the host that the proxy was asked for.
    if (!opensPage || request.host?.toLowerCase() === host) return next();
    // A proxy that puts its own name in place of the host would send browsers in circles.
    if (headers.cookie?.includes(SENT_ON)) return next();
    response.setHeader('Set-Cookie', `${SENT_ON}; Max-Age=${SENT_ON_SECONDS}; Path=/; HttpOnly; SameSite=Lax`);
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(302, publicOrigin + path + searchOf(request.url));
  };
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}
