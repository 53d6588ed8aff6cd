import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../base/clock.js';
import { SingleFlight } from '../base/single-flight.js';
import { addressOf } from './data-source.js';
import { BackgroundConnections } from './background-work.js';

/** The time between two measurements, in milliseconds. */
const INTERVAL = 10_000;
/** The quickest answer of a measurement counts. */
const QUESTIONS = 3;
/** A measurement with a larger possible error is worth less than the one before, in milliseconds. */
const MAX_ERROR = 250;
/** A difference that an operator should correct, in milliseconds. */
const TO_REPORT = 1_000;

const NOW = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now';

/** The time of the database in milliseconds since 1970, for what two servers must not see differently even for a moment. */
export async function timeOf(database: Pick<DataSource, 'query'>): Promise<number> {
  const [{ now }] = await database.query<[{ now: number }]>(NOW);
  return now;
}

interface Measurement {
  /** By how many milliseconds the clock of the database is ahead of this machine's. */
  readonly offset: number;
  /** Half of the round trip, and the resolution of our clock. */
  readonly error: number;
}

export async function measureOffset(database: Pick<DataSource, 'query'>, clock: Clock): Promise<Measurement> {
  let best: Measurement = { offset: 0, error: Infinity };
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const sent = clock.ofMachine();
    const now = await timeOf(database);
    const received = clock.ofMachine();
    // Somebody may have set the clock of the machine back meanwhile.
    const error = Math.abs(received - sent) / 2 + 1;
    if (error < best.error) best = { offset: Math.round(now - (sent + received) / 2), error };
  }
  return best;
}

/**
 * Sets our time by the clock of the database. A difference that may come from the measurement changes
 * nothing, so our time runs evenly.
 */
@Injectable()
export class DatabaseClock implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Clock');
  private offset = 0;
  private reported = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly measurement = new SingleFlight(() => this.measure());

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly background: BackgroundConnections,
    private readonly clock: Clock,
  ) {}

  /** Before the first request needs the time. */
  async onModuleInit(): Promise<void> {
    // The embedded database has the clock of this process.
    if (!addressOf(this.database)) return;
    await this.measurement.run();
    this.timer = setInterval(() => void this.measurement.run(), INTERVAL);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.measurement.running;
  }

  private async measure(): Promise<void> {
    // While the database is away, which readiness reports, the difference of before stays.
    const measured = await measureOffset(this.background.manager, this.clock).catch(() => undefined);
    if (!measured || measured.error > MAX_ERROR) return;
    const { offset } = measured;
    if (Math.abs(offset - this.offset) <= measured.error) return;
    this.offset = offset;
    this.clock.setOffset(offset);
    if (Math.abs(offset - this.reported) < TO_REPORT) return;
    this.reported = offset;
    this.logger.warn({ event: 'clock_differs', ms: offset });
  }
}
