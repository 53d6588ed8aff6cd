import { Logger } from '@nestjs/common';
import type { Env } from '../../../env.js';
import { answerJson, pathOf } from '../../../web/answers.js';
import type { Middleware } from '../../../web/middleware-chain.js';
import { PROVIDERS } from '../../players/provider-name.js';
import { LocalProvider } from './local-provider.js';

/**
 * The stand-ins for Google and GitHub at `/local/google` and `/local/github`, if the settings allow them. They stand
 * before any body parser, because `oidc-provider` reads bodies itself.
 */
export async function localProviders({ localSignIn, publicOrigin }: Env): Promise<Middleware[]> {
  if (!localSignIn) return [];
  const library = await importLibrary();
  new Logger('Auth').warn(
    'Local sign-in is on: anybody on this computer can sign in as anybody. For development only: this server must not be ' +
      'reachable from outside, also not through a proxy or a tunnel.',
  );
  return [onlyThisComputer, ...PROVIDERS.map((name) => new LocalProvider(name, publicOrigin, library).middleware())];
}

/** Loads a development dependency, which production does not install. */
async function importLibrary() {
  // It warns on Node 20, although the parts in use work there.
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

/** Headers that proxies add. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/**
 * Admits only browsers of this computer. The Host header is checked against DNS rebinding, and the socket's own address
 * because a proxy can name any. nginx adds no header by default and speaks HTTP/1.0, which browsers do not.
 */
const onlyThisComputer: Middleware = (request, response, next) => {
  if (!/^\/local(\/|$)/i.test(pathOf(request))) return next();
  const { headers, httpVersion, socket } = request;
  const here = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
  const fromHere = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(socket.remoteAddress ?? '');
  const forwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.test(name));
  if (here && fromHere && !forwarded) next();
  else answerJson(response, 404, { error: 'There is nothing here.' });
};
