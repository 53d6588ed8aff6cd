import type { IncomingMessage } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { Env } from '../settings/env.js';
import { BODY_LIMIT } from './node.js';
import { type LimitReached, Places, type Release } from './places.js';

/** The places of unanswered requests that an IPv4 address or a /64 has. */
const PLACES_OF_NETWORK = 300;
/** The bytes of the heap for each place: with 256 MB there are 3,800. */
const HEAP_OF_PLACE = 70_000;
/** So many bytes of a body need one more place: as a value or a document they can take 24 times as much. */
export const BODY_OF_PLACE = 3_000;

/** How many bytes a request may send as its body: the limit when it does not say so. */
export function bodyBytesOf({ headers }: Pick<IncomingMessage, 'headers'>): number {
  const unknown = headers['transfer-encoding'] === undefined ? 0 : BODY_LIMIT;
  return Math.min(Number(headers['content-length'] ?? unknown), BODY_LIMIT);
}

/** A request has its places until its connection has the answer. */
@Injectable()
export class RequestPlaces {
  private readonly places: Places;

  constructor({ requestsPerMinute }: Env) {
    const isOff = requestsPerMinute === 0;
    const ofProcess = getHeapStatistics().heap_size_limit / HEAP_OF_PLACE;
    this.places = isOff ? new Places(Infinity, Infinity) : new Places(ofProcess, PLACES_OF_NETWORK);
  }

  take(address: string, request: IncomingMessage): Release | LimitReached {
    return this.places.take(address, 1 + Math.floor(bodyBytesOf(request) / BODY_OF_PLACE));
  }
}
