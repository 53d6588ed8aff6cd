import type { IncomingHttpHeaders } from 'node:http';
import { Observed } from '../../base/observed.js';
import type { RequestContext } from './request-context.js';

/** A request that has arrived. */
export interface RequestBegun {
  readonly context: RequestContext;
  readonly headers: IncomingHttpHeaders;
}

/** A request whose connection has got its answer, or has ended before. */
export interface RequestEnded {
  readonly context: RequestContext;
  readonly method: string;
  readonly status: number;
  /** Whether the client left before it had the whole answer. The status may then be one that nobody has sent. */
  readonly aborted: boolean;
  readonly ms: number;
}

/** Requests over the limit of their address begin and never end here: the refusals count them. */
export const requestsBegun = new Observed<RequestBegun>('request.begun');
export const requestsEnded = new Observed<RequestEnded>('request.ended');
