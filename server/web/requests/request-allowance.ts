import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Env } from '../../settings/env.js';
import { networksOf, PARTS } from './network.js';

const WINDOW_SECONDS = 60;

/**
 * The points that a network may spend in a minute. A plain request costs one. The count is in memory because it protects
 * this process. Limits across all servers (games, sign-ins) are in the database.
 */
@Injectable()
export class RequestAllowance {
  private readonly limiter: RateLimiterMemory | undefined;

  constructor(env: Env) {
    if (env.requestsPerMinute === 0) return;
    this.limiter = new RateLimiterMemory({ points: env.requestsPerMinute * PARTS, duration: WINDOW_SECONDS });
  }

  /** @returns undefined when the points are granted, otherwise the whole seconds until the network may ask again */
  async spend(address: string, points = 1): Promise<number | undefined> {
    if (!this.limiter) return undefined;
    try {
      // Narrowest first, so that a refusal there costs the wider networks nothing.
      for (const { key, parts } of networksOf(address)) await this.limiter.consume(key, points * parts);
      return undefined;
    } catch (refusal) {
      return Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000);
    }
  }
}
