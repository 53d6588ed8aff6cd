import { AsyncResource } from 'node:async_hooks';
import type { RequestHandler } from 'express';
import type { Env } from '../env.js';
import { networksOf } from './network.js';

/** Requests of one network that are worked on at a time. The next waits for one of them, in the order they came. */
const AT_ONCE = 3;

/** Requests of one network that may wait for their turn. */
const MOST_WAITING = 200;

/** A request that takes longer waits for the database or for a slow reader, and no longer keeps others waiting. */
const HOLD_MS = 100;

interface Share {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Spreads what one network sends at once over time, so that the requests of others come between. The allowance bounds how
 * much a network may ask for; without this it could ask for all of it in one moment.
 */
export function fairShare({ requestsPerMinute }: Env): RequestHandler {
  if (requestsPerMinute === 0) return (_request, _response, next) => next();
  const shares = new Map<string, Share>();
  return (request, response, next) => {
    // A probe must hear at once, also behind an address that asks for much.
    if (request.path.startsWith('/health/')) return next();
    const network = networksOf(request.ip ?? '')[0].key;
    const share = shares.get(network) ?? { running: 0, waiting: [] };
    shares.set(network, share);

    const passOn = () => {
      const following = share.waiting.shift();
      if (following) return following();
      share.running -= 1;
      if (share.running === 0) shares.delete(network);
    };
    const begin = () => {
      // The client has gone while it waited.
      if (response.destroyed || request.socket.destroyed) return void setImmediate(passOn);
      let held = true;
      const release = () => {
        if (!held) return;
        held = false;
        clearTimeout(timer);
        // In the next turn of the event loop: many requests end in the turn that they came in, and others come between turns.
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
      response.status(429).setHeader('Retry-After', '1').json({
        error: 'Too many requests from this address at once. Try again in a second.',
        code: 'too_many_requests',
      });
    } else {
      // What begins it is the end of another request; it must not be taken for that one.
      share.waiting.push(AsyncResource.bind(begin));
    }
  };
}
