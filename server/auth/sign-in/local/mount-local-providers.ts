import { type INestApplication, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Env } from '../../../env.js';
import { PROVIDERS } from '../../players/provider-name.js';
import { LocalProvider } from './local-provider.js';

/**
 * Puts the stand-ins for Google and GitHub at `/local/google` and `/local/github`, where the settings allow it; nothing
 * otherwise. To be called before any body parser is in place, because `oidc-provider` reads bodies itself.
 */
export async function mountLocalProviders(app: INestApplication): Promise<void> {
  const env = app.get(Env);
  if (!env.localSignIn) return;
  const library = await importLibrary();
  app.use('/local', onlyThisComputer);
  for (const name of PROVIDERS) {
    app.use(`/local/${name}`, new LocalProvider(name, env.publicOrigin, library).handler());
  }
  new Logger('Auth').warn(
    'Local sign-in is on: anybody on this computer can sign in as anybody. For development only: this server must not be ' +
      'reachable from outside, also not through a proxy or a tunnel.',
  );
}

/** A development dependency, absent where the product runs for others: so it is loaded only when it is wanted. */
async function importLibrary() {
  // On Node 20 it says that it wants a newer one. What is used of it here works on 20, and the tests show it.
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

/** What proxies put on the requests that they pass on. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/**
 * Another name for this computer could be a page elsewhere (DNS rebinding); a forwarded request comes from elsewhere, and so
 * may any other where `HOST` lets others in: what counts is who is at the other end, not who a proxy says is. A proxy
 * that says nothing is often nginx as it comes, which still speaks HTTP/1.0; browsers do not.
 */
function onlyThisComputer({ headers, httpVersion, socket }: Request, response: Response, next: NextFunction): void {
  const here = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
  const fromHere = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(socket.remoteAddress ?? '');
  const forwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.test(name));
  if (here && fromHere && !forwarded) next();
  else response.status(404).json({ error: 'There is nothing here.' });
}
