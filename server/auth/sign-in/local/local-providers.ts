import { Logger } from '@nestjs/common';
import type { Env } from '../../../settings/env.js';
import { answerJson, pathOf } from '../../../web/answers/answers.js';
import type { Middleware } from '../../../web/middleware-chain.js';
import { type ProviderName, PROVIDERS } from '../../players/provider-name.js';
import { localRoot } from './local-configs.js';
import { LocalProvider } from './local-provider.js';

/**
 * The stand-ins for Google and GitHub at `/local/google` and `/local/github`, if the settings allow them. They stand
 * before any body parser, because `oidc-provider` reads bodies itself.
 * @throws when that development dependency is not installed, as in production
 */
export function localProviders({ localSignIn, publicOrigin }: Env): Middleware[] {
  if (!localSignIn) return [];
  import.meta.resolve('oidc-provider');
  new Logger('Auth').warn(
    'Local sign-in is on: anybody on this computer can sign in as anybody. For development only: this server must not be ' +
      'reachable from outside, also not through a proxy or a tunnel.',
  );
  return [onlyThisComputer, providersOnDemand(publicOrigin)];
}

/** The library takes a tenth of a start to load, so the first sign-in loads it. */
function providersOnDemand(publicOrigin: string): Middleware {
  let providers: ReturnType<typeof importProviders> | undefined;
  return (request, response, next) => {
    const name = PROVIDERS.find((one) => pathOf(request).startsWith(`${localRoot(one)}/`));
    if (!name) return next();
    providers ??= importProviders(publicOrigin);
    providers.then((loaded) => loaded[name].serve(request, response)).catch(next);
  };
}

async function importProviders(publicOrigin: string): Promise<Record<ProviderName, LocalProvider>> {
  // It warns on Node 20, although the parts in use work there, and of its store, which is lost at a restart.
  const { warn } = console;
  console.warn = () => undefined;
  try {
    const library = await import('oidc-provider');
    const provider = (name: ProviderName) => new LocalProvider(name, publicOrigin, library);
    return { google: provider('google'), github: provider('github') };
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
