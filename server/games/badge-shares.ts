import { Injectable } from '@nestjs/common';
import { GAME_BADGES } from '../counting/sums.js';
import { columnOf } from '../counting/sums-tables.js';
import { BackgroundWork, WorksInBackground } from '../database/background-work.js';
import { BackgroundConnections } from '../database/background-connections.js';
import type { Badge } from './achievements.type.js';

const HOUR = 3_600_000;

/** The players who share the badges: those on the leaderboard. */
const WITH_BADGES = `
  SELECT count(*)::integer AS players, ${Object.entries(GAME_BADGES)
    .map(([badge, { count, goal }]) => `count(*) FILTER (WHERE ${columnOf(count)} >= ${goal})::integer AS ${badge}`)
    .join(', ')}
  FROM player_stats WHERE listed AND wins + losses + draws > 0`;

type Counts = { readonly [Name in Badge | 'players']?: number };

/** Counts once an hour how many players have each badge. Each server has its own counts, and no request waits for them. */
@Injectable()
export class BadgeShares extends WorksInBackground {
  protected readonly work = new BackgroundWork('badge_shares', HOUR, () => this.count());
  private readonly statements = [WITH_BADGES];
  private counts: Counts = {};

  constructor(private readonly background: BackgroundConnections) {
    super();
  }

  /** @param statement SQL: one row whose columns are badges, with the number of players who have each */
  add(statement: string): void {
    this.statements.push(statement);
  }

  /** @returns null before the first count, and while there are no players */
  of(badge: `${Badge}`): number | null {
    const { players, [badge]: owners } = this.counts;
    // Each statement has a moment of its own.
    return players && owners !== undefined ? Math.min(1, owners / players) : null;
  }

  private async count(): Promise<void> {
    const counts: Counts = {};
    for (const statement of this.statements) {
      const [row] = await this.background.query<[Counts]>(statement);
      Object.assign(counts, row);
    }
    this.counts = counts;
  }
}
