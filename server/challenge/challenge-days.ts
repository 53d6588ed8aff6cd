import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Square } from '../../game/board.js';
import { CHALLENGE_DIFFICULTIES, parOf } from '../../game/challenge.js';
import { allPositions, type Position, positionAfter, SYMMETRIES, turned } from '../../game/position.js';
import { Clock } from '../base/clock.js';
import { endOfDay, isPublished, utcDay } from '../counting/day.js';
import { LruCache } from '../base/lru-cache.js';
import { Keys } from '../settings/keys.js';
import { squaresOf } from './attempt.js';
import { ChallengeDay } from './challenge-day.entity.js';

const KNOWN_DAYS = 100;
/** The chain of positions begins here. */
const FIRST_DAY = '2026-11-01';
/** On how many days after it a position does not come again. There are twice as many, so that nobody can tell the next one. */
const DAYS_BETWEEN = 28;

/** The first use of a day fixes its seeds. A day that an earlier version began has no position yet. */
const STORE = `
  INSERT INTO challenge_days (day, seeds, position) VALUES ($1, $2, $3)
  ON CONFLICT (day) DO UPDATE SET position = excluded.position WHERE challenge_days.position IS NULL`;

export interface DayContent {
  /** One for each game, in the order of the games. */
  readonly seeds: readonly string[];
  /** Null for an earlier day, from before there were positions. */
  readonly position: Position | null;
}

/**
 * The seeds and the position of each day. They come from the server's secret, so that they are the same after the loss of the newest rows.
 * The first use stores them, so that a new secret does not change the seeds of a day.
 */
@Injectable()
export class ChallengeDays {
  /** They never change. Null for a day that ended without any. */
  private readonly known = new LruCache<DayContent | null>(KNOWN_DAYS);
  private readonly pars = new LruCache<number>(KNOWN_DAYS);

  constructor(
    @InjectRepository(ChallengeDay) private readonly stored: Repository<ChallengeDay>,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** The seeds of a day's games in their order. */
  async seedsOf(day: string): Promise<readonly string[]> {
    return (await this.contentOf(day)).seeds;
  }

  /** The seeds and the position of a day, which this fixes if they were not. */
  async contentOf(day: string): Promise<DayContent> {
    const stored = await this.storedOf(day);
    if (stored?.position) return stored;
    await this.stored.query(STORE, [day, this.deriveSeeds(day), this.derivePosition(day).join('')]);
    this.known.delete(day);
    return (await this.storedOf(day))!;
  }

  /** The same for today. @returns null for any other day on which nobody started the challenge */
  async begunOf(day: string): Promise<DayContent | null> {
    return day === utcDay(this.clock.now()) ? this.contentOf(day) : this.storedOf(day);
  }

  /**
   * What fixes the seeds of a day without showing them: the SHA-256 of the seeds, joined by commas, in hexadecimal. No guess of
   * 128 random bits in each of them leads back.
   */
  async commitmentOf(day: string): Promise<string | null> {
    const content = await this.begunOf(day);
    return content && createHash('sha256').update(content.seeds.join(',')).digest('hex');
  }

  /** The fewest moves for the best result of a day. */
  async parOf(day: string): Promise<number> {
    const known = this.pars.get(day);
    if (known !== undefined) return known;
    const par = parOf(await this.seedsOf(day));
    this.pars.set(day, par);
    return par;
  }

  /** @returns null for a day on which nobody started the challenge */
  async storedOf(day: string): Promise<DayContent | null> {
    const known = this.known.get(day);
    if (known !== undefined) return known;
    const row = await this.stored.findOneBy({ day });
    const position = row?.position ? positionAfter(squaresOf(row.position)) : null;
    const content = row && { seeds: row.seeds, position };
    // Another server, whose clock is behind, may still store seeds in the first minute.
    if (position || isPublished(day, this.clock.now())) this.known.set(day, content);
    return content;
  }

  private deriveSeeds(day: string): string[] {
    return CHALLENGE_DIFFICULTIES.map((_, at) =>
      this.hash(`${day}:${at + 1}`)
        .toString('hex')
        .slice(0, 32),
    );
  }

  /** Chooses among the positions that the days before have not had. The same chain gives the same after a loss of rows. */
  private derivePosition(day: string): Square[] {
    const recent: Position[] = [];
    for (let at = day < FIRST_DAY ? day : FIRST_DAY; ; at = utcDay(endOfDay(at))) {
      const hash = this.hash(`${at}:position`);
      const free = allPositions().filter((position) => !recent.includes(position));
      const chosen = free[hash.readUInt32BE() % free.length]!;
      if (at === day) return turned(chosen.squares, hash[4]! % SYMMETRIES);
      recent.push(chosen);
      if (recent.length > DAYS_BETWEEN) recent.shift();
    }
  }

  private hash(text: string): Buffer {
    const [key] = this.keys.keysFor('challenge');
    return createHmac('sha256', key).update(text).digest();
  }
}
