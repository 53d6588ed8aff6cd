import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Env } from '../settings/env.js';
import { type Network, networksOf } from './network.js';

const WINDOW_SECONDS = 60;

/** A personal token has this part of an address's points, so that a program leaves the rest to others at its address. */
const PART_OF_TOKEN = 1 / 4;

type Policy = 'address' | 'token';

/** What a client may still spend. */
interface Remaining {
  readonly policy: Policy;
  readonly points: number;
  /** Until all points are there again. */
  readonly seconds: number;
}

/** Whom a request or a message is charged to. */
export interface Spender {
  readonly address: string;
  /** Its headers tell the client what remains, unless they are sent already. */
  readonly response?: ServerResponse;
  /** The id of the personal token, as soon as it is known. */
  tokenId?: string;
  /** The points that it has spent so far. */
  spent?: number;
  /** The least that remains of its limits. */
  remaining?: Remaining;
}

/** A network by its size, or a token. */
type Limited = Network['size'] | 'token';

/**
 * The points that a network may spend in a minute, and within them those of a personal token. A plain request costs one.
 * The count is in memory because it protects this process. Limits across all servers (games, sign-ins) are in the database.
 */
@Injectable()
export class RequestAllowance {
  private readonly points: Readonly<Record<Policy, number>>;
  private readonly limiters: Readonly<Record<Limited, RateLimiterMemory>>;

  constructor({ requestsPerMinute: address }: Env) {
    const token = Math.max(1, Math.floor(address * PART_OF_TOKEN));
    this.points = { address, token };
    const limiter = (points: number) => new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
    this.limiters = { 1: limiter(address), 2: limiter(2 * address), 4: limiter(4 * address), token: limiter(token) };
  }

  /** @returns undefined when the points are granted, otherwise the whole seconds until the spender may ask again */
  spend(spender: Spender, points = 1): Promise<number | undefined> {
    spender.spent = (spender.spent ?? 0) + points;
    const { tokenId, address } = spender;
    // Narrowest first, so that a refusal there costs the wider networks nothing.
    const limited = networksOf(address).map(({ size, key }): [Limited, string] => [size, key]);
    if (tokenId !== undefined) limited.unshift(['token', tokenId]);
    return this.consume(spender, limited, points);
  }

  /** Charges a token beside its address: all that the request has spent before the token was known. */
  spendOfToken(spender: Spender, tokenId: string): Promise<number | undefined> {
    spender.tokenId = tokenId;
    return this.consume(spender, [['token', tokenId]], spender.spent ?? 0, spender.remaining);
  }

  /** @param least what remained of another limit */
  private async consume(
    spender: Spender,
    limited: readonly (readonly [Limited, string])[],
    points: number,
    least?: Remaining,
  ): Promise<number | undefined> {
    if (this.points.address === 0) return undefined;
    for (const [of, key] of limited) {
      let isRefused = false;
      const state = await this.limiters[of].consume(key, points).catch((refusal: RateLimiterRes) => {
        isRefused = true;
        return refusal;
      });
      const seconds = Math.ceil(state.msBeforeNext / 1000);
      const policy = of === 'token' ? of : 'address';
      const remaining: Remaining = { policy, points: state.remainingPoints, seconds };
      if (least === undefined || remaining.points < least.points) this.tell(spender, (least = remaining));
      if (isRefused) return seconds;
    }
    return undefined;
  }

  /** Sets the header fields of draft-ietf-httpapi-ratelimit-headers-11. */
  private tell(spender: Spender, remaining: Remaining): void {
    spender.remaining = remaining;
    const { response } = spender;
    if (!response || response.headersSent) return;
    const { policy, points, seconds } = remaining;
    response.setHeader('RateLimit-Policy', `"${policy}";q=${this.points[policy]};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"${policy}";r=${points};t=${seconds}`);
  }
}
