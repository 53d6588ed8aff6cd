import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import type { Stats } from '../../game/scoring.js';
import { MergedPlayersService } from '../auth/players/merged-players.service.js';
import { StatsService } from '../stats/stats.service.js';
import { type AchievementsType, Badge } from './achievements.type.js';
import { GameConnections } from '../counting/game-connections.js';
import {
  addMerged,
  addPage,
  archivedDraws,
  type HardDraws,
  type HardDrawsPage,
  NEXT_HARD_DRAWS,
  NO_HARD_DRAWS,
} from './hard-draws.js';

const DRAWS_FOR_BADGE = 10;
const CHALLENGE_DAYS_FOR_BADGE = 7;
const PAGE_SIZE = 10_000;
/** Each takes about 200 bytes. */
const MAX_KNOWN_PLAYERS = 10_000;

/** The table belongs to the challenge, which stands above. */
const CHALLENGE_DAYS = `
  SELECT count(*)::integer AS days FROM challenge_attempts WHERE player_id = $1 AND finished = ${CHALLENGE_GAMES}`;

/**
 * Computes achievements from games. Games are added and numbered without a gap, so this server remembers what it has read:
 * the next time it reads only the games after that. After an operator has voided a game, it reads all again. It begins with
 * the sum of the archived games.
 */
@Injectable()
export class AchievementsService {
  /** The least recently used first. */
  private readonly known = new Map<string, HardDraws>();
  private readonly running = new Map<string, Promise<HardDraws>>();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly connections: GameConnections,
    private readonly stats: StatsService,
    private readonly mergedPlayers: MergedPlayersService,
  ) {}

  async of(playerId: string): Promise<AchievementsType> {
    const [stats, own, merged, [{ days }]] = await Promise.all([
      this.stats.ofPlayer(playerId),
      this.hardDrawsOf(playerId),
      this.mergedPlayers.idsOf(playerId),
      this.database.query<[{ days: number }]>(CHALLENGE_DAYS, [playerId]),
    ]);
    let draws = own;
    for (const id of merged) draws = addMerged(draws, await this.hardDrawsOf(id));
    return toAchievements(playerId, stats, draws, days);
  }

  /** Parallel requests share one reading. */
  private hardDrawsOf(playerId: string): Promise<HardDraws> {
    const running = this.running.get(playerId) ?? this.read(playerId).finally(() => this.running.delete(playerId));
    this.running.set(playerId, running);
    return running;
  }

  /** Reads page by page, so that no statement is slow and a player with many games takes no connection from others for long. */
  private async read(playerId: string): Promise<HardDraws> {
    let draws = this.known.get(playerId) ?? NO_HARD_DRAWS;
    for (;;) {
      const values = [playerId, draws.upTo, PAGE_SIZE, draws.until];
      const [page] = await this.connections.use(() => this.database.query<[HardDrawsPage]>(NEXT_HARD_DRAWS, values));
      if (page.voided !== draws.voided && draws.upTo > 0) {
        draws = NO_HARD_DRAWS;
        continue;
      }
      const archived = archivedDraws(page);
      if (archived && archived.upTo > draws.upTo) {
        draws = archived;
        continue;
      }
      draws = addPage(draws, page);
      this.remember(playerId, draws);
      if (page.games < PAGE_SIZE) return draws;
    }
  }

  private remember(playerId: string, draws: HardDraws): void {
    // A map iterates in insertion order.
    this.known.delete(playerId);
    this.known.set(playerId, draws);
    if (this.known.size > MAX_KNOWN_PLAYERS) this.known.delete(this.known.keys().next().value!);
  }
}

function toAchievements(
  playerId: string,
  stats: Stats,
  { draws, inARow, best }: HardDraws,
  challengeDays: number,
): AchievementsType {
  const reached: Record<Badge, boolean> = {
    first_easy_win: stats.easyWins > 0,
    first_medium_win: stats.mediumWins > 0,
    first_hard_draw: draws > 0,
    ten_hard_draws: draws >= DRAWS_FOR_BADGE,
    first_hard_win: stats.hardWins > 0,
    seven_challenge_days: challengeDays >= CHALLENGE_DAYS_FOR_BADGE,
  };
  return {
    playerId,
    hardDraws: draws,
    hardDrawsInARow: inARow,
    bestHardDrawsInARow: best,
    badges: Object.values(Badge).filter((badge) => reached[badge]),
  };
}
