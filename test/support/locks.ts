import { expect } from '@jest/globals';
import pg from 'pg';
import { activityOf } from './citus.js';
import type { Server } from './server.js';
import { codeOf, type GraphQLAnswer } from './visitor.js';

/** Holds locks in a server's database, so that requests meet in a known order. */
export interface Locks {
  /** Runs the statement with each list of values. A distributed database locks rows of one player in a statement. */
  hold(lock: string, ...values: unknown[][]): Promise<void>;
  release(): Promise<void>;
  /** Counts the statements of requests that wait for a lock. The server also counts the players of each score, and settles the challenge. */
  waiting(): Promise<number>;
  /** @throws when after a minute fewer wait */
  untilWaiting(count: number): Promise<void>;
  /** Both requests meet the lock of this player, one after the other, and go on when it is released. */
  meet<A, B>(lock: string, playerId: string, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]>;
  close(): Promise<void>;
}

export async function locksOn(server: Server): Promise<Locks> {
  const [holder, watcher] = [new pg.Client(server.databaseUrl), new pg.Client(server.databaseUrl)];
  await Promise.all([holder.connect(), watcher.connect()]);
  const waiting = async () => {
    const { rows } = await watcher.query<{ count: number }>(
      `SELECT count(*)::integer FROM ${activityOf(server)}
       WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query !~ 'GROUP BY score|NOT closed OR counted'`,
    );
    return rows[0]!.count;
  };
  const locks: Locks = {
    waiting,
    async hold(lock, ...values) {
      await holder.query('BEGIN');
      for (const given of values.length > 0 ? values : [[]]) await holder.query(lock, given);
    },
    release: async () => void (await holder.query('COMMIT')),
    async untilWaiting(count) {
      const end = Date.now() + 60_000;
      while ((await waiting()) < count) {
        if (Date.now() > end) throw new Error(`Only ${await waiting()} of ${count} statements wait for a lock.`);
        // A game waits for 200 ms alone.
        await new Promise((wake) => setTimeout(wake, 5));
      }
    },
    async meet(lock, playerId, first, second) {
      await locks.hold(lock, [playerId]);
      const one = first();
      await locks.untilWaiting(1);
      const other = second();
      await locks.untilWaiting(2);
      await locks.release();
      return Promise.all([one, other]);
    },
    close: async () => void (await Promise.all([holder.end(), watcher.end()])),
  };
  return locks;
}

/** A game that has met a lock for too long is unavailable. The page sends it again, and it is refused as signed out. */
export async function expectRefused(finished: GraphQLAnswer, again: () => Promise<GraphQLAnswer>): Promise<void> {
  expect(['UNAUTHENTICATED', 'SERVICE_UNAVAILABLE']).toContain(codeOf(finished));
  expect(codeOf(await again())).toBe('UNAUTHENTICATED');
}
