import type { RequestHandler } from 'express';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Env } from '../env.js';
import { networkOf } from './network.js';

const WINDOW_SECONDS = 60;

/**
 * A bound on what one network may ask of this process, so that it cannot crowd out the others. It is kept in memory:
 * what must hold over all servers (games, sign-ins) has limits of its own in the database.
 */
export function requestLimit(env: Env): RequestHandler {
  if (env.requestsPerMinute === 0) return (_request, _response, next) => next();
  const limiter = new RateLimiterMemory({ points: env.requestsPerMinute, duration: WINDOW_SECONDS });
  return (request, response, next) => {
    limiter.consume(networkOf(request.ip ?? '')).then(
      () => next(),
      ({ msBeforeNext }: RateLimiterRes) => {
        const seconds = Math.ceil(msBeforeNext / 1000);
        response
          .status(429)
          .setHeader('Retry-After', String(seconds))
          .json({ error: `Too many requests from this address. Try again in ${seconds} seconds.` });
      },
    );
  };
}
