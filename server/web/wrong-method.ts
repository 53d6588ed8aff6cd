import { HttpException } from '@nestjs/common';
import type { Express, Request } from 'express';

/** The address exists, but not for this method. */
export class WrongMethod extends HttpException {
  constructor(readonly allowed: readonly string[]) {
    super({ error: `This address answers ${allowed.join(', ')} only.`, code: 'method_not_allowed' }, 405);
  }
}

/** The part of Express's router that is read here. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
}

/**
 * Finds out whether a 404 is a wrong method.
 * @returns undefined when the method is right and a handler did not find what the request names
 */
export function wrongMethod(request: Request): WrongMethod | undefined {
  const { stack } = (request.app as Express).router as unknown as { stack: readonly Layer[] };
  const methods = stack
    // Nest registers a module's middleware as a route for all methods.
    .filter((layer) => layer.route && !layer.route.methods.trace && layer.match(request.path))
    .flatMap(({ route }) => Object.keys(route!.methods))
    .map((method) => method.toUpperCase());
  const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort();
  return allowed.length > 0 && !allowed.includes(request.method) ? new WrongMethod(allowed) : undefined;
}
