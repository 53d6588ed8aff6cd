import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../base/clock.js';
import { BackgroundConnections } from '../database/background-connections.js';
import { Env } from '../settings/env.js';
import type { SuspectListType, SuspectType } from './moderated-player.type.js';
import { ModerationQueries } from './moderation-queries.service.js';
import { findSuspects, namedSuspects, type Suspect } from './suspects.js';

const DAYS = 14;
const LEAST = 50;
const MOST = 100;
/** A search reads the games of up to 2,000 players, so its result is kept for a while. */
const KEPT_MS = 10 * 60_000;

/** Searches for suspects when a moderator asks, one search at a time, beside the connections of requests. */
@Injectable()
export class SuspectsService {
  private readonly logger = new Logger('Moderation');
  private found: readonly Suspect[] = [];
  private asOf: Date | null = null;
  private running: Promise<void> | undefined;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly background: BackgroundConnections,
    private readonly queries: ModerationQueries,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** The last result. An old one begins a new search, for which nobody waits. */
  async last(): Promise<SuspectListType> {
    const now = this.clock.now().getTime();
    const isFresh = this.asOf && Math.abs(now - this.asOf.getTime()) < KEPT_MS;
    if (!isFresh) this.running ??= this.search().finally(() => (this.running = undefined));
    return { asOf: this.asOf, suspects: await this.named() };
  }

  private async search(): Promise<void> {
    try {
      const { gamesPerDay } = this.env;
      const found = await findSuspects(this.background, { days: DAYS, least: LEAST, gamesPerDay });
      this.found = found.slice(0, MOST);
      this.asOf = this.clock.now();
    } catch (error) {
      this.logger.warn({ event: 'suspects_failed', reason: String(error) });
    }
  }

  /** Names and decisions are those of now. */
  private async named(): Promise<SuspectType[]> {
    const found = await namedSuspects(this.database.manager, this.found);
    const players = await this.queries.shown(found.map(({ player }) => player));
    return found.map(({ score, games, reasons }, at) => ({ player: players[at]!, suspicion: score, games, reasons }));
  }
}
