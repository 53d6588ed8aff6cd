import type { RequestHandler } from 'express';
import type { Refusals } from './refusals.js';
import type { RequestAllowance } from './request-allowance.js';

/** Charges every request one point of its network's allowance, so that no network crowds out the others. */
export function requestLimit(allowance: RequestAllowance, refusals: Refusals): RequestHandler {
  return (request, response, next) => {
    allowance.spend(request.ip ?? '').then((seconds) => {
      if (seconds === undefined) return next();
      refusals.note({ event: 'refused', status: 429, code: 'too_many_requests' });
      response
        .status(429)
        .setHeader('Retry-After', String(seconds))
        // The next request then costs the sender a new connection.
        .setHeader('Connection', 'close')
        .json(refusalFor(request.path, `Too many requests from this address. Try again in ${seconds} seconds.`));
    }, next);
  };
}

/** GraphQL clients expect the code in `errors`, others expect it beside `error`. */
function refusalFor(path: string, message: string): object {
  return /^\/graphql\/?$/.test(path)
    ? { errors: [{ message, extensions: { code: 'TOO_MANY_REQUESTS' } }] }
    : { error: message, code: 'too_many_requests' };
}
