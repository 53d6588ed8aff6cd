import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Group, Turns } from '../../base/turns.js';
import type { Env } from '../../settings/env.js';
import { answerProblem } from '../answers/problems.js';
import { bodyBytesOf, contextOf, pathOf } from './request.js';
import { requestsRefused } from '../answers/refusal-log.js';
import type { Held, Room } from './held-bytes.js';
import { networksOf, PARTS } from './network.js';
import { allowanceSpent } from './request-allowance.js';

/** The concurrent requests of an IPv4 address or a /64. Further ones wait. */
const AT_ONCE = 3;

/** What a request takes in memory until it is answered, in bytes: an estimate, with its headers. */
const REQUEST_BYTES = 10_000;
/** A parsed body takes up to so many times its bytes in memory: the three bytes of `{},` make an object. */
const PARSED = 24;

/**
 * A sign-in waits for its provider, and an export for its reader, perhaps for long. After this time the next request of the
 * network may start. Both have limits of their own.
 */
const LONG_AFTER_MS = 100;
const MAY_LAST = /^\/(auth\/\w+\/callback|api\/account\/export)\/?$/i;

const HEALTH = /^\/health\/(live|ready)\/?$/i;

interface Place {
  readonly held: Held;
  /** The bytes of its body. */
  readonly body: number;
  leave?: () => void;
}

/**
 * Limits the concurrent requests of a network, so that the requests of others run in between. The allowance alone would
 * let a network send all of its requests at once. A request keeps its place until its answer is there.
 */
export class FairShare {
  private readonly turns = new Turns(Infinity);
  /** One request begins in a turn of the event loop, so that costly ones do not add up before others are read. */
  private readonly starts = new Turns(1);
  private readonly isOff: boolean;
  private readonly places = new WeakMap<IncomingMessage, Place>();

  constructor(
    env: Env,
    private readonly room: Room,
  ) {
    this.isOff = env.requestsPerMinute === 0;
  }

  /** Makes room for a request and its unread body, or refuses it. */
  admit(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    // A health check must not wait behind other requests of its address.
    if (this.isOff || HEALTH.test(pathOf(request))) return next();
    const held = this.room.enter(contextOf(request).address);
    const body = bodyBytesOf(request);
    if (held.set(REQUEST_BYTES + body)) return this.refuse(request, response);
    this.places.set(request, { held, body });
    response.once('close', () => held.release());
    next();
  }

  /** Waits for the turn. The body is read by then, so that a slow sender does not take the turn of others. */
  enter(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    const place = this.places.get(request);
    if (!place) return next();
    const path = pathOf(request);
    const groups = networkGroups(contextOf(request).address, AT_ONCE);
    this.turns.enter(groups, (leave) => {
      // The client disconnected while it waited.
      if (response.destroyed || request.socket.destroyed) return leave();
      place.leave = leave;
      response.once('close', leave);
      if (place.held.grow(place.body * PARSED)) return this.refuse(request, response);
      if (MAY_LAST.test(path)) setTimeout(leave, LONG_AFTER_MS).unref();
      this.starts.enter(groups, (end) => {
        setImmediate(end);
        next();
      });
    });
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    requestsRefused.publish({ event: 'refused', status: 429, code: 'too_many_waiting' });
    const refusal = allowanceSpent('from this address at once', 1);
    response.setHeader('Retry-After', '1');
    answerProblem(request, response, refusal);
  }

  /** The answer is there. A slow reader keeps no turn, but the room for the answer. One who lets too many wait is cut off. */
  leave(request: IncomingMessage, answer: unknown): void {
    const place = this.places.get(request);
    if (!place) return;
    place.leave?.();
    const bytes = typeof answer === 'string' ? answer.length : 0;
    if (place.held.set(REQUEST_BYTES + bytes)) request.socket.destroy();
  }
}

/** The networks of an address as groups, the widest first. A /56 has twice the places of a /64, and a /48 four times. */
export function networkGroups(address: string, places: number): Group[] {
  return networksOf(address)
    .map(({ key, parts }) => ({ key, places: (places * PARTS) / parts }))
    .reverse();
}
