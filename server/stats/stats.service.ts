import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { sessionEnded, type SignedInPlayer } from '../auth/sessions/session.js';
import { Clock } from '../base/clock.js';
import { select } from './columns.js';
import { PlayerStats } from './player-stats.entity.js';
import { noSums } from './sums.js';
import { SUMS } from './sums-tables.js';
import { isDistributed } from '../database/distribution.js';
import { named } from '../database/statements.js';
import { sharedReads } from '../database/shared-reads.js';
import { type PlayerStatsType, SHOWN, type ShownSums, toPlayerStats } from './player-stats.type.js';

const COLUMNS = select(Object.fromEntries(SHOWN.map((sum) => [sum, SUMS[sum]!])), 'player_stats');

/** A player without a finished game has no stats: then they are null. */
const OF_SESSIONS = `
  SELECT s.id AS "sessionId", s.player_id AS "playerId", ${COLUMNS}
  FROM sessions s LEFT JOIN player_stats ON player_stats.player_id = s.player_id`;
const IS_LIVE = 's.revoked_at IS NULL AND s.expires_at > $3';

const OF_ONE_SESSION = named('own-stats', `${OF_SESSIONS} WHERE s.id = $1 AND s.player_id = $2 AND ${IS_LIVE}`);
const OF_SEVERAL_SESSIONS = named(
  'own-stats-together',
  `${OF_SESSIONS}
  JOIN unnest($1::uuid[], $2::uuid[]) AS asked (id, player_id) ON s.id = asked.id AND s.player_id = asked.player_id
  WHERE ${IS_LIVE}`,
);

type SessionRow = SignedInPlayer & { readonly [Sum in keyof ShownSums]: ShownSums[Sum] | null };

@Injectable()
export class StatsService implements OnModuleInit {
  private read!: (player: SignedInPlayer) => Promise<PlayerStatsType | undefined>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.read = sharedReads((players) => this.ofSessions(players), { alone: await isDistributed(this.database) });
  }

  /** @returns zeros for a player without a finished game */
  async ofPlayer(playerId: string): Promise<PlayerStatsType> {
    return toPlayerStats(playerId, (await this.database.getRepository(PlayerStats).findOneBy({ playerId })) ?? noSums);
  }

  /** The same, and checks the session in the same statement. @throws {Refusal} when it has ended */
  async ofSession(player: SignedInPlayer): Promise<PlayerStatsType> {
    const stats = await this.read(player);
    if (!stats) throw sessionEnded();
    return stats;
  }

  private async ofSessions(players: readonly SignedInPlayer[]): Promise<(PlayerStatsType | undefined)[]> {
    const now = this.clock.now();
    const [player] = players;
    const rows =
      player && players.length === 1
        ? await this.database.query<SessionRow[]>(OF_ONE_SESSION, [player.sessionId, player.playerId, now])
        : await this.database.query<SessionRow[]>(OF_SEVERAL_SESSIONS, [
            players.map(({ sessionId }) => sessionId),
            players.map(({ playerId }) => playerId),
            now,
          ]);
    const stats = new Map(rows.map((row) => [row.sessionId, row]));
    return players.map(({ playerId, sessionId }) => {
      const row = stats.get(sessionId);
      return row?.playerId === playerId ? toPlayerStats(playerId, hasStats(row) ? row : noSums) : undefined;
    });
  }
}

function hasStats(row: SessionRow): row is SessionRow & ShownSums {
  return row.score !== null;
}
