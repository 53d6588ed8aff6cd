import type { Env } from '../settings/env.js';
import { pathOf, redirect } from './answers/answers.js';
import type { ClientAddress } from './requests/client-address.js';
import type { Middleware } from './middleware-chain.js';
import { PAGE_PATHS } from './page/page.js';

const PLAYGROUND = /^\/playground\/?$/;

/** Marks a browser that was just redirected. If it returns, a proxy hides the public origin from us. */
const SENT_ON = 'sent_on=1';
const SENT_ON_SECONDS = 10;

/**
 * Redirects a browser that opens the page by another name of this server, such as 127.0.0.1 for localhost. It could never
 * sign in there, because cookies and storage belong to one host. Programs are not redirected, for instance health checks.
 */
export function toPublicOrigin({ publicOrigin }: Env, addresses: ClientAddress): Middleware {
  const { host } = new URL(publicOrigin);
  return (request, response, next) => {
    const { method, headers, url = '/' } = request;
    const path = pathOf(request);
    const opensPage =
      (method === 'GET' || method === 'HEAD') &&
      (PAGE_PATHS.has(path) || PLAYGROUND.test(path)) &&
      headers.accept?.includes('text/html');
    // Behind a trusted proxy this is the host that the browser asked for.
    if (!opensPage || addresses.hostOf(request)?.toLowerCase() === host) return next();
    // A proxy that replaces the Host header would cause a redirect loop.
    if (headers.cookie?.includes(SENT_ON)) return next();
    response.setHeader('Set-Cookie', `${SENT_ON}; Max-Age=${SENT_ON_SECONDS}; Path=/; HttpOnly; SameSite=Lax`);
    response.setHeader('Cache-Control', 'no-store');
    redirect(response, publicOrigin + path + searchOf(url));
  };
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : encodeURI(url.slice(start)).replaceAll('%25', '%');
}
