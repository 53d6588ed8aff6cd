import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { Env } from '../settings/env.js';
import { Places, type Release } from './places.js';
import { Turns } from './turns.js';

/** The unanswered requests of an IPv4 address or a /64. */
const REQUESTS_OF_NETWORK = 300;
/** The bytes of the heap for each request, whose body has 16 KB: with 256 MB there are 3,800. */
const HEAP_OF_REQUEST = 70_000;
/** The requests of a network that run at a time. A parsed body takes up to 24 times its bytes, so it is parsed then. */
const RUNNING_OF_NETWORK = 3;

/** Which requests may come in, and which of them runs next. */
@Injectable()
export class Admission {
  readonly places: Places;
  readonly turns: Turns;
  private readonly reads: Turns;
  private readonly arrivals: Turns;

  constructor({ requestsPerMinute, database }: Env) {
    const isOff = requestsPerMinute === 0;
    const ofProcess = getHeapStatistics().heap_size_limit / HEAP_OF_REQUEST;
    this.places = isOff ? new Places(Infinity, Infinity) : new Places(ofProcess, REQUESTS_OF_NETWORK);
    this.turns = new Turns({ ofProcess: Infinity, ofNetwork: isOff ? Infinity : RUNNING_OF_NETWORK, paced: !isOff });
    this.reads = new Turns({ ofProcess: database.reads, ofNetwork: Infinity });
    this.arrivals = new Turns({ ofProcess: Infinity, ofNetwork: Infinity, paced: !isOff });
  }

  /** Work beside a request, such as an upgrade, in the turn of its network. */
  run<T>(address: string, work: () => T | Promise<T>): Promise<T> {
    return inTurn(this.turns, address, work);
  }

  /** Reads what has arrived at a socket. Its turns are not those of requests, which can last until the socket seems dead. */
  receive<T>(address: string, work: () => T | Promise<T>): Promise<T> {
    return inTurn(this.arrivals, address, work);
  }

  /**
   * Reads of the database take turns, for half of its connections. The writer of games does not wait here. The work must not
   * take another turn, because it could wait for its own.
   */
  read<T>(address: string, work: () => T | Promise<T>): Promise<T> {
    return inTurn(this.reads, address, work);
  }
}

async function inTurn<T>(turns: Turns, address: string, work: () => T | Promise<T>): Promise<T> {
  const release = await new Promise<Release>((begin) => turns.enter(address, begin));
  try {
    return await work();
  } finally {
    release();
  }
}
