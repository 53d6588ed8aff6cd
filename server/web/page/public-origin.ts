import type { onRequestHookHandler } from 'fastify';
import type { Env } from '../../settings/env.js';
import type { ClientAddress } from '../requests/client-address.js';

/** Marks a browser that was just redirected. If it returns, a proxy hides the public origin from us. */
const SENT_ON = 'sent_on=1';
const SENT_ON_SECONDS = 10;

/**
 * Redirects a browser that opens the page by another name of this server, such as 127.0.0.1 for localhost. It could never
 * sign in there, because cookies and storage belong to one host. Programs are not redirected.
 */
export function toPublicOrigin({ publicOrigin }: Env, addresses: ClientAddress): onRequestHookHandler {
  const { host, protocol } = new URL(publicOrigin);
  return ({ raw, headers, url }, reply, done) => {
    // Behind a trusted proxy this is the host that the browser asked for.
    const isHere = URL.parse(`${protocol}//${addresses.hostOf(raw)}`)?.host === host;
    // A proxy that replaces the Host header would cause a redirect loop.
    if (isHere || !headers.accept?.includes('text/html') || headers.cookie?.includes(SENT_ON)) return done();
    void reply
      .header('Set-Cookie', `${SENT_ON}; Max-Age=${SENT_ON_SECONDS}; Path=/; HttpOnly; SameSite=Lax`)
      .redirect(publicOrigin + encodeURI(url).replaceAll('%25', '%'));
  };
}
