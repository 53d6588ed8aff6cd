import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import { Clock } from '../base/clock.js';
import { isPublished } from '../counting/day.js';
import { LruCache } from '../base/lru-cache.js';
import { Keys } from '../settings/keys.js';
import { ChallengeDay } from './challenge-day.entity.js';

const KNOWN_DAYS = 100;

/**
 * The seeds of each day. They come from the server's secret, so that they are the same after the loss of the newest rows.
 * The first use stores them, so that a new secret does not change the seeds of a day.
 */
@Injectable()
export class ChallengeDays {
  /** Seeds never change. Null for a day that ended without any. */
  private readonly known = new LruCache<readonly string[] | null>(KNOWN_DAYS);

  constructor(
    @InjectRepository(ChallengeDay) private readonly stored: Repository<ChallengeDay>,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** The seeds of a day's games in their order. */
  async seedsOf(day: string): Promise<readonly string[]> {
    const stored = await this.storedSeedsOf(day);
    if (stored) return stored;
    const values = { day, seeds: this.derive(day) };
    await this.stored.createQueryBuilder().insert().values(values).orIgnore().updateEntity(false).execute();
    this.known.delete(day);
    return (await this.storedSeedsOf(day))!;
  }

  /**
   * What fixes the seeds of a day without showing them: the SHA-256 of the seeds, joined by commas, in hexadecimal. No guess of
   * 128 random bits in each of them leads back.
   * @param isToday whether the seeds are fixed now, if they were not
   */
  async commitmentOf(day: string, isToday: boolean): Promise<string | null> {
    const seeds = isToday ? await this.seedsOf(day) : await this.storedSeedsOf(day);
    return seeds && createHash('sha256').update(seeds.join(',')).digest('hex');
  }

  /** @returns null for a day on which nobody started the challenge */
  async storedSeedsOf(day: string): Promise<readonly string[] | null> {
    const known = this.known.get(day);
    if (known !== undefined) return known;
    const seeds = (await this.stored.findOneBy({ day }))?.seeds ?? null;
    // Another server, whose clock is behind, may still store seeds in the first minute.
    if (seeds || isPublished(day, this.clock.now())) this.known.set(day, seeds);
    return seeds;
  }

  private derive(day: string): string[] {
    const [key] = this.keys.keysFor('challenge');
    return CHALLENGE_DIFFICULTIES.map((_, at) =>
      createHmac('sha256', key)
        .update(`${day}:${at + 1}`)
        .digest('hex')
        .slice(0, 32),
    );
  }
}
