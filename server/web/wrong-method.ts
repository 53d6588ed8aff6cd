import { HttpException } from '@nestjs/common';
import type { Express, Request } from 'express';

/** A known address that does not have this method. */
export class WrongMethod extends HttpException {
  constructor(readonly allowed: readonly string[]) {
    super({ error: `This address answers ${allowed.join(', ')} only.`, code: 'method_not_allowed' }, 405);
  }
}

/** What is read here of Express's router. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
}

/**
 * Whether the router had nothing for a request because of its method alone. A handler that knows nothing by an id is
 * another matter: then the method is right.
 */
export function wrongMethod(request: Request): WrongMethod | undefined {
  const { stack } = (request.app as Express).router as unknown as { stack: readonly Layer[] };
  const methods = stack
    // What takes every method is no address: Nest puts the middleware of a module there so.
    .filter((layer) => layer.route && !layer.route.methods.trace && layer.match(request.path))
    .flatMap(({ route }) => Object.keys(route!.methods))
    .map((method) => method.toUpperCase());
  const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort();
  return allowed.length > 0 && !allowed.includes(request.method) ? new WrongMethod(allowed) : undefined;
}
