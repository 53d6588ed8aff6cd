import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
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
export class SuspectsService implements OnModuleDestroy {
  private readonly logger = new Logger('Moderation');
  private found: readonly Suspect[] = [];
  private asOf: Date | null = null;
  private failed = false;
  /** When the last search ended, also a failed one. */
  private ended: Date | undefined;
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();

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
    const isFresh = this.ended && Math.abs(now - this.ended.getTime()) < KEPT_MS;
    if (!isFresh && !this.stopping.signal.aborted)
      this.running ??= this.search().finally(() => (this.running = undefined));
    return { asOf: this.asOf, failed: this.failed, suspects: await this.named() };
  }

  /** Before the connections close. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async search(): Promise<void> {
    const { signal } = this.stopping;
    this.failed = false;
    try {
      const { gamesPerDay } = this.env;
      const found = await findSuspects(this.background, { days: DAYS, least: LEAST, gamesPerDay }, signal);
      this.found = found.slice(0, MOST);
      this.asOf = this.ended = this.clock.now();
    } catch (error) {
      if (signal.aborted) return;
      this.failed = true;
      this.ended = this.clock.now();
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
