import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { PlayerChanges } from '../player-changes.js';
import { type Board, CachedBoard } from './cached-board.js';
import { LeaderboardService } from './leaderboard.service.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from './limit.js';

/** The greatest age of a board that readers get, in milliseconds. */
const MAX_AGE = 1_000;

/**
 * The leaderboard from memory: the database is read at most once a second while the board is read. A change that this
 * server makes is visible at once.
 */
@Injectable()
export class LeaderboardCache {
  /** Most readers want ten entries; all other limits share the largest board. */
  private readonly boards: readonly CachedBoard[];

  constructor(leaderboard: LeaderboardService, clock: Clock, changes: PlayerChanges) {
    this.boards = [DEFAULT_LIMIT, MAX_LIMIT].map(
      (size) => new CachedBoard(size, (limit) => leaderboard.top(limit), clock),
    );
    changes.subscribe((change) => {
      for (const board of this.boards) board.note(change);
    });
  }

  /** At least the best `limit` players. The same array as before where nothing was read meanwhile. */
  read(limit: number, maxAge: number = MAX_AGE): Promise<Board> {
    return this.boards.find(({ size }) => size >= limit)!.read(maxAge);
  }

  /**
   * The same for a request. A signed-in request reads the database, so that players see their own change on every server;
   * so does a client that refuses cached answers.
   */
  readFor(headers: IncomingHttpHeaders, limit: number): Promise<Board> {
    const refusesCached = /\b(no-cache|no-store|max-age=0)\b/i.test(headers['cache-control'] ?? '');
    return this.read(limit, headers.authorization || refusesCached ? 0 : MAX_AGE);
  }
}
