import { answerJson, pathOf } from '../answers/answers.js';
import type { Middleware } from '../middleware-chain.js';
import type { Refusals } from '../answers/refusals.js';
import type { RequestAllowance } from './request-allowance.js';
import { contextOf } from './request-context.js';

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
