import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { PlayerChanges } from '../player-changes.js';
import { CachedEntries, type Entries } from './cached-entries.js';
import { LeaderboardService } from './leaderboard.service.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from './limit.js';

/** The greatest age of the entries that readers get, in milliseconds. */
const MAX_AGE = 1_000;

/**
 * The leaderboard from memory. A change that this server makes is visible at once; a change of another server may be
 * missing for up to a second.
 */
@Injectable()
export class LeaderboardCache {
  /** Most readers want ten entries; all other limits share the longest list. */
  private readonly lists: readonly CachedEntries[];

  constructor(leaderboard: LeaderboardService, clock: Clock, changes: PlayerChanges) {
    this.lists = [DEFAULT_LIMIT, MAX_LIMIT].map((size) => new CachedEntries(size, leaderboard, clock));
    changes.subscribe((change) => {
      for (const list of this.lists) list.invalidate(change);
    });
  }

  /** At least the best `limit` players. The same array as before where nothing was read meanwhile. */
  read(limit: number, maxAge: number = MAX_AGE): Promise<Entries> {
    return this.lists.find(({ size }) => size >= limit)!.read(maxAge);
  }

  /**
   * The same for a request. With any `Authorization` header it gets a reading that begins after the request, so that
   * players see their own change on every server; so does a client that refuses cached answers.
   */
  readFor(headers: IncomingHttpHeaders, limit: number): Promise<Entries> {
    const refusesCached = /\b(no-cache|no-store|max-age=0)\b/i.test(headers['cache-control'] ?? '');
    return this.read(limit, headers.authorization || refusesCached ? 0 : MAX_AGE);
  }
}
