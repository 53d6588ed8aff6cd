import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Group, Turns } from '../../base/turns.js';
import type { Env } from '../../settings/env.js';
import { answerProblem } from '../answers/answer-problem.js';
import { pathOf } from '../answers/answers.js';
import { refusals } from '../answers/refusals.js';
import { networksOf, PARTS } from './network.js';
import { allowanceSpent } from './request-allowance.js';
import { contextOf } from './request-context.js';

/** The concurrent requests of an IPv4 address or a /64. Further ones wait. */
const AT_ONCE = 3;

/** The waiting requests of the widest network. */
const MOST_WAITING = 200;

/**
 * A sign-in waits for its provider, and an export for its reader, perhaps for long. After this time the next request of the
 * network may start. Both have limits of their own.
 */
const LONG_AFTER_MS = 100;
const MAY_LAST = /^\/(auth\/\w+\/callback|api\/account\/export)\/?$/i;

/**
 * Limits the concurrent requests of a network, so that the requests of others run in between. The allowance alone would
 * let a network send all of its requests at once. A request keeps its place until its answer is there.
 */
export class FairShare {
  private readonly turns = new Turns(Infinity);
  /** One request begins in a turn of the event loop, so that costly ones do not add up before others are read. */
  private readonly starts = new Turns(1);
  private readonly isOff: boolean;
  private readonly leaves = new WeakMap<IncomingMessage, () => void>();

  constructor(env: Env) {
    this.isOff = env.requestsPerMinute === 0;
  }

  enter(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    const path = pathOf(request);
    // A health check must not wait behind other requests of its address.
    if (this.isOff || path.startsWith('/health/')) return next();
    const groups = networkGroups(contextOf(request).address, AT_ONCE);
    if (this.turns.waiting(groups[0]!) >= MOST_WAITING) return this.refuse(request, response);

    this.turns.enter(groups, (leave) => {
      // The client disconnected while it waited.
      if (response.destroyed || request.socket.destroyed) return leave();
      this.leaves.set(request, leave);
      response.once('close', leave);
      if (MAY_LAST.test(path)) setTimeout(leave, LONG_AFTER_MS).unref();
      this.starts.enter(groups, (end) => {
        setImmediate(end);
        next();
      });
    });
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    refusals.publish({ event: 'refused', status: 429, code: 'too_many_waiting' });
    const refusal = allowanceSpent('from this address at once', 1);
    response.setHeader('Retry-After', '1');
    answerProblem(request, response, refusal);
  }

  /** The answer is there. A slow reader keeps no place. */
  leave(request: IncomingMessage): void {
    this.leaves.get(request)?.();
  }
}

/** The networks of an address as groups, the widest first. A /56 has twice the places of a /64, and a /48 four times. */
export function networkGroups(address: string, places: number): Group[] {
  return networksOf(address)
    .map(({ key, parts }) => ({ key, places: (places * PARTS) / parts }))
    .reverse();
}
