import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { Env } from '../settings/env.js';
import { type Full, type Leave, Places } from './places.js';
import { Turns } from './turns.js';

/** The requests of an IPv4 address or a /64 that are there: they wait, are in progress, or their answer is unread. */
const OF_NETWORK = 300;
/** The bytes of the heap for each request that is there: with 256 MB there are 3,800. One has a body of 16 KB at most. */
const HEAP_OF_REQUEST = 70_000;
/** Those in progress. A parsed body takes up to 24 times its bytes, so a request is parsed in its turn. */
const IN_PROGRESS = 3;

/** How many requests are there, and which of them begins next. */
@Injectable()
export class Admission {
  private readonly there: Places;
  private readonly inProgress: Turns;
  private readonly reading: Turns;

  constructor({ requestsPerMinute, database }: Env) {
    const isOff = requestsPerMinute === 0;
    const most = isOff ? Infinity : getHeapStatistics().heap_size_limit / HEAP_OF_REQUEST;
    this.there = new Places(most, isOff ? Infinity : OF_NETWORK);
    this.inProgress = new Turns(new Places(Infinity, isOff ? Infinity : IN_PROGRESS), !isOff);
    this.reading = new Turns(new Places(database.reads, Infinity));
  }

  /** @returns a function for the end of the request, or the limit that refuses it */
  enter(address: string): Leave | Full {
    return this.there.take(address);
  }

  /** @param begin runs in the turn of the request. It calls `leave` when the answer is there. */
  takeTurn(address: string, begin: (leave: Leave) => void): void {
    this.inProgress.enter(address, begin);
  }

  /**
   * Reads of the database take turns by network, for half of its connections. The writer of games does not wait here.
   * The work must not take another turn, because it could wait for its own.
   */
  async read<T>(address: string, work: () => T | Promise<T>): Promise<T> {
    const leave = await new Promise<Leave>((begin) => this.reading.enter(address, begin));
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
