import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Env } from '../../settings/env.js';
import { answerJson, pathOf } from '../answers/answers.js';
import type { Refusals } from '../answers/refusals.js';
import type { Middleware } from '../middleware-chain.js';
import { networksOf, PARTS } from './network.js';
import { contextOf } from './request-context.js';

const WINDOW_SECONDS = 60;

/**
 * The points that a network may spend in a minute. A plain request costs one. The count is in memory because it protects
 * this process. Limits across all servers (games, sign-ins) are in the database.
 */
@Injectable()
export class RequestAllowance {
  private readonly limiter: RateLimiterMemory | undefined;

  constructor(env: Env) {
    if (env.requestsPerMinute === 0) return;
    this.limiter = new RateLimiterMemory({ points: env.requestsPerMinute * PARTS, duration: WINDOW_SECONDS });
  }

  /** @returns undefined when the points are granted, otherwise the whole seconds until the network may ask again */
  async spend(address: string, points = 1): Promise<number | undefined> {
    if (!this.limiter) return undefined;
    try {
      // Narrowest first, so that a refusal there costs the wider networks nothing.
      for (const { key, parts } of networksOf(address)) await this.limiter.consume(key, points * parts);
      return undefined;
    } catch (refusal) {
      return Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000);
    }
  }
}

/** Charges every request one point of its network's allowance, so that no network crowds out the others. */
export function requestLimit(allowance: RequestAllowance, refusals: Refusals): Middleware {
  return (request, response, next) => {
    const context = contextOf(request);
    allowance.spend(context.address).then((seconds) => {
      if (seconds === undefined) return next();
      refusals.note({ event: 'refused', status: 429, code: 'too_many_requests' }, context);
      response.setHeader('Retry-After', String(seconds));
      // The next request then costs the sender a new connection.
      response.setHeader('Connection', 'close');
      const message = `Too many requests from this address. Try again in ${seconds} seconds.`;
      answerJson(response, 429, refusalFor(pathOf(request), message));
    }, next);
  };
}

/** GraphQL clients expect the code in `errors`, others expect it beside `error`. */
function refusalFor(path: string, message: string): object {
  return /^\/graphql\/?$/.test(path)
    ? { errors: [{ message, extensions: { code: 'TOO_MANY_REQUESTS' } }] }
    : { error: message, code: 'too_many_requests' };
}
