import { HttpException, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/** The address exists, but not for this method. */
export class WrongMethod extends HttpException {
  constructor(readonly allowed: readonly string[]) {
    super({ error: `This address answers ${allowed.join(', ')} only.`, code: 'method_not_allowed' }, 405);
  }
}

/** The methods of each route of Fastify. */
@Injectable()
export class Routes {
  private readonly routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', ({ url, method }) => {
      this.routes.push({ pattern: patternOf(url), methods: [method].flat() });
    });
  }

  /**
   * Finds out whether a 404 is a wrong method.
   * @returns undefined when the method is right and a handler did not find what the request names
   */
  wrongMethod(method: string | undefined, path: string): WrongMethod | undefined {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    const allowed = [...new Set(methods)].sort();
    return allowed.length > 0 && !allowed.includes(method ?? '') ? new WrongMethod(allowed) : undefined;
  }
}

/** @param url a path of Fastify: a parameter ends at the next dot, dash or slash */
function patternOf(url: string): RegExp {
  const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^./\\-]+/g, '[^/]+');
  return new RegExp(`^${source}/?$`, 'i');
}
