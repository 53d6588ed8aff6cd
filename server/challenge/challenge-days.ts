import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import { Keys } from '../settings/keys.js';
import { LruCache } from '../base/lru-cache.js';

const KNOWN_DAYS = 100;

/**
 * The seeds of each day. They come from the server's secret, so that they are the same after the loss of the newest rows.
 * The first use stores them, so that a new secret does not change the seeds of a day.
 */
@Injectable()
export class ChallengeDays {
  /** Seeds never change. */
  private readonly known = new LruCache<readonly string[]>(KNOWN_DAYS);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly keys: Keys,
  ) {}

  /** The seeds of a day's games in their order. */
  async seedsOf(day: string): Promise<readonly string[]> {
    const stored = await this.storedSeedsOf(day);
    if (stored) return stored;
    await this.database.query('INSERT INTO challenge_days (day, seeds) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      day,
      this.derive(day),
    ]);
    return (await this.storedSeedsOf(day))!;
  }

  /** @returns null for a day on which nobody started the challenge */
  async storedSeedsOf(day: string): Promise<readonly string[] | null> {
    const known = this.known.get(day);
    if (known) return known;
    const [row] = await this.database.query<{ seeds: string[] }[]>('SELECT seeds FROM challenge_days WHERE day = $1', [
      day,
    ]);
    if (!row) return null;
    this.known.set(day, row.seeds);
    return row.seeds;
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
