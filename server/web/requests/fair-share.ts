import type { Env } from '../../settings/env.js';
import { answerJson, pathOf } from '../answers/answers.js';
import type { Middleware } from '../middleware-chain.js';
import { networksOf } from './network.js';
import { refusals } from '../answers/refusals.js';
import { contextOf, keepRequest } from './request-context.js';

/** The concurrent requests of one network. Further ones wait in order. */
const AT_ONCE = 3;

/** The waiting requests of one network. */
const MOST_WAITING = 200;

/** After this time a request only waits for the database or a slow client, so the next may start. */
const HOLD_MS = 100;

interface Share {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits the concurrent requests of a network, so that the requests of others run in between. The allowance alone would
 * let a network send all of its requests at once.
 */
export function fairShare({ requestsPerMinute }: Env): Middleware {
  if (requestsPerMinute === 0) return (_request, _response, next) => next();
  const shares = new Map<string, Share>();
  return (request, response, next) => {
    // A health check must not wait behind other requests of its address.
    if (pathOf(request).startsWith('/health/')) return next();
    const network = networksOf(contextOf(request).address)[0].key;
    const share = shares.get(network) ?? { running: 0, waiting: [] };
    shares.set(network, share);

    const passOn = () => {
      const following = share.waiting.shift();
      if (following) return following();
      share.running -= 1;
      if (share.running === 0) shares.delete(network);
    };
    const begin = () => {
      // The client disconnected while it waited.
      if (response.destroyed || request.socket.destroyed) return void setImmediate(passOn);
      let held = true;
      const release = () => {
        if (!held) return;
        held = false;
        clearTimeout(timer);
        // In the next turn of the event loop, because other networks' requests arrive only between turns.
        setImmediate(passOn);
      };
      const timer = setTimeout(release, HOLD_MS);
      response.once('close', release);
      next();
    };
    if (share.running < AT_ONCE) {
      share.running += 1;
      begin();
    } else if (share.waiting.length >= MOST_WAITING) {
      refusals.publish({ event: 'refused', status: 429, code: 'too_many_waiting' });
      response.setHeader('Retry-After', '1');
      answerJson(response, 429, {
        error: 'Too many requests from this address at once. Try again in a second.',
        code: 'too_many_requests',
      });
    } else {
      share.waiting.push(keepRequest(begin));
    }
  };
}
