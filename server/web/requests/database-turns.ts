import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Turns } from '../../base/turns.js';
import { Env } from '../../settings/env.js';
import { networkGroups } from './fair-share.js';
import { RequestAllowance } from './request-allowance.js';
import { contextOf } from './request.js';
import { Refusal } from '../answers/refusals.js';

/** Work that reads `games` has turns of its own, because a lock on that table can make it wait for long. */
export type Lane = 'reads' | 'gameReads';

/** The connections of one request at a time. */
const OF_REQUEST = 2;

/** How many milliseconds of the database's time cost one point: with 6,000 points, a network can keep one connection busy. */
const MS_PER_POINT = 10;
/** The most for one piece of work: a wait for a lock may be the fault of others. */
const MOST_POINTS = 50;

/**
 * Work of requests takes turns for the database by network, and leaves connections for games, whose writer does not wait
 * here. A request works on two things at a time, and its network pays for the time.
 */
@Injectable()
export class DatabaseTurns {
  private readonly requests = new Turns(Infinity);
  private readonly lanes: Readonly<Record<Lane, Turns>>;

  constructor(
    { database }: Env,
    private readonly allowance: RequestAllowance,
  ) {
    this.lanes = { reads: new Turns(database.reads), gameReads: new Turns(database.gameReads) };
  }

  /**
   * The work must not take another turn, because it could wait for its own.
   * @throws {Refusal} when the client has left before its turn
   */
  async run<T>(request: IncomingMessage, lane: Lane, work: () => T | Promise<T>): Promise<T> {
    const context = contextOf(request);
    const { id, address } = context;
    const leaveRequest = await turnOf(this.requests, [{ key: id, places: OF_REQUEST }]);
    const leaveLane = await turnOf(this.lanes[lane], networkGroups(address, Infinity));
    const began = performance.now();
    try {
      if (request.socket.destroyed) throw new Refusal('client_left');
      return await work();
    } finally {
      leaveLane();
      leaveRequest();
      const points = Math.min(MOST_POINTS, Math.floor((performance.now() - began) / MS_PER_POINT));
      if (points > 0) void this.allowance.spend(context, points);
    }
  }
}

const turnOf = (turns: Turns, groups: Parameters<Turns['enter']>[0]) =>
  new Promise<() => void>((begin) => turns.enter(groups, begin));
