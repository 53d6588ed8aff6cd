import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { type Network, networksOf } from './network.js';

const WINDOW_SECONDS = 60;

type Policy = 'address' | 'token';

/** Whom a request or a message is charged to. */
export interface Spender {
  readonly address: string;
  /** Its headers tell the client what remains, unless they are sent already. */
  readonly response?: ServerResponse;
  /** The id of the personal token, as soon as it is known. */
  tokenId?: string;
  /** The points that it has spent so far. */
  spent?: number;
  /** The points that remain of its narrowest limit. */
  remaining?: number;
}

/** What a network or a token has spent in its minute, which begins with its first request. */
interface Minute {
  spent: number;
  readonly end: number;
}

/**
 * The points that a network may spend in a minute, and within them those of a personal token. A plain request costs one.
 * The count is in memory because it protects this process. Limits across all servers (games, sign-ins) are in the database.
 */
@Injectable()
export class RequestAllowance {
  private readonly points: Readonly<Record<Policy, number>>;
  /** In the order of their ends. */
  private readonly minutes = new Map<string, Minute>();

  constructor(
    { requestsPerMinute: address }: Env,
    private readonly clock: Clock,
  ) {
    // A program leaves the rest to others at its address.
    this.points = { address, token: Math.max(1, Math.floor(address / 4)) };
  }

  /** @returns undefined when the points are granted, otherwise the whole seconds until the spender may ask again */
  spend(spender: Spender, points = 1): number | undefined {
    spender.spent = (spender.spent ?? 0) + points;
    spender.remaining = undefined;
    const { tokenId, address } = spender;
    // Narrowest first, so that a refusal there costs the wider networks nothing.
    let seconds = tokenId === undefined ? undefined : this.take(spender, 'token', { key: tokenId, size: 1 }, points);
    for (const network of networksOf(address)) seconds ??= this.take(spender, 'address', network, points);
    return seconds;
  }

  /** Charges a token beside its address: all that the request has spent before the token was known. */
  spendOfToken(spender: Spender, tokenId: string): number | undefined {
    spender.tokenId = tokenId;
    return this.take(spender, 'token', { key: tokenId, size: 1 }, spender.spent ?? 0);
  }

  private take(spender: Spender, policy: Policy, { key, size }: Network, points: number): number | undefined {
    if (this.points.address === 0) return undefined;
    const now = this.clock.ofMachine();
    const minute = this.minuteOf(key, now);
    minute.spent += points;
    const left = this.points[policy] * size - minute.spent;
    const seconds = Math.ceil((minute.end - now) / 1000);
    if (left < (spender.remaining ?? Infinity)) {
      spender.remaining = Math.max(0, left);
      // The header fields of draft-ietf-httpapi-ratelimit-headers-11.
      if (spender.response?.headersSent === false) {
        spender.response.setHeader('RateLimit-Policy', `"${policy}";q=${this.points[policy]};w=${WINDOW_SECONDS}`);
        spender.response.setHeader('RateLimit', `"${policy}";r=${spender.remaining};t=${seconds}`);
      }
    }
    return left < 0 ? seconds : undefined;
  }

  private minuteOf(key: string, now: number): Minute {
    for (const [oldest, { end }] of this.minutes) {
      if (end > now) break;
      this.minutes.delete(oldest);
    }
    const known = this.minutes.get(key);
    // The clock may have been set back.
    if (known && known.end > now) return known;
    const minute = { spent: 0, end: now + 1000 * WINDOW_SECONDS };
    this.minutes.delete(key);
    this.minutes.set(key, minute);
    return minute;
  }
}
