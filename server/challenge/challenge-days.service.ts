import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { CHALLENGE_DIFFICULTIES, parOf } from '../../game/challenge.js';
import { Clock, endOfDay, PUBLISHED_AFTER, utcDay } from '../base/clock.js';
import { LruCache } from '../base/lru-cache.js';
import { Keys } from '../settings/keys.js';
import { ChallengeDay } from './challenge-day.entity.js';

const KNOWN_DAYS = 100;

/**
 * The seeds of each day. They come from the server's secret, so that they are the same after the loss of the newest rows. The first
 * use stores them, so that a new secret does not change the seeds of a day.
 */
@Injectable()
export class ChallengeDays {
  /** They never change. Null for a day that ended without any. */
  private readonly known = new LruCache<readonly string[] | null>(KNOWN_DAYS);
  /** Each takes up to 150 ms to compute. Only a day with seeds has one. */
  private readonly pars = new Map<string, number>();

  constructor(
    @InjectRepository(ChallengeDay) private readonly stored: Repository<ChallengeDay>,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** The seeds of a day's games in their order, which this fixes if they were not. */
  async seedsOf(day: string): Promise<readonly string[]> {
    const stored = await this.storedOf(day);
    if (stored) return stored;
    const values = { day, seeds: this.deriveSeeds(day) };
    await this.stored.createQueryBuilder().insert().values(values).orIgnore().updateEntity(false).execute();
    this.known.delete(day);
    return (await this.storedOf(day))!;
  }

  /** The fewest moves of the best result that the seeds of a day allow. */
  async parOf(day: string): Promise<number> {
    const seeds = await this.seedsOf(day);
    const par = this.pars.get(day) ?? parOf(seeds);
    this.pars.set(day, par);
    return par;
  }

  /** Whether seeds and moves of the day are public: one minute after its end. */
  isPublished(day: string): boolean {
    return this.clock.now().getTime() >= endOfDay(day).getTime() + PUBLISHED_AFTER;
  }

  /** @returns null until they are published, and for a day on which nobody started the challenge */
  async publishedSeedsOf(day: string): Promise<readonly string[] | null> {
    return this.isPublished(day) ? this.storedOf(day) : null;
  }

  /**
   * What fixes the seeds of a day without showing them: the SHA-256 of the seeds, joined by commas, in hexadecimal. No guess of
   * 128 random bits in each of them leads back.
   * @returns null before the day, and for an earlier day on which nobody started the challenge
   */
  async commitmentOf(day: string): Promise<string | null> {
    const seeds = await (day === utcDay(this.clock.now()) ? this.seedsOf(day) : this.storedOf(day));
    return seeds && createHash('sha256').update(seeds.join(',')).digest('hex');
  }

  private async storedOf(day: string): Promise<readonly string[] | null> {
    const known = this.known.get(day);
    if (known !== undefined) return known;
    const seeds = (await this.stored.findOneBy({ day }))?.seeds ?? null;
    // Another server, whose clock is behind, may still store seeds in the first minute.
    if (seeds || this.isPublished(day)) this.known.set(day, seeds);
    return seeds;
  }

  private deriveSeeds(day: string): string[] {
    const [key] = this.keys.keysFor('challenge');
    return CHALLENGE_DIFFICULTIES.map((_, at) =>
      createHmac('sha256', key)
        .update(`${day}:${at + 1}`)
        .digest('hex')
        .slice(0, 32),
    );
  }
}
