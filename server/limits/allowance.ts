import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Env } from '../settings/env.js';
import { type Network, networksOf, PARTS } from './network.js';

const WINDOW_SECONDS = 60;

/** A personal token has this part of an address's allowance, so that a bot leaves room for others behind its address. */
const TOKENS_OF_ADDRESS = 4;

/** What a payer has left, in points, and the seconds until the allowance is whole again. */
interface Left {
  readonly policy: 'address' | 'token';
  readonly points: number;
  readonly seconds: number;
}

/** An account of a network or a token at the limiter. */
type Account = Network & Pick<Left, 'policy'>;

/** A request or a socket that pays for its work. */
export interface Payer {
  readonly address: string;
  /** It tells the client what is left, unless it is sent already. */
  readonly response?: ServerResponse;
  /** The id of the personal token, as soon as it is known. */
  tokenId?: string;
  /** What the payer has paid so far, in points. */
  paid?: number;
  /** The allowance that has least left. */
  left?: Left;
}

/**
 * The points that a network may spend in a minute, and within them those of a personal token. A plain request costs one.
 * The count is in memory because it protects this process. Limits across all servers (games, sign-ins) are in the database.
 */
@Injectable()
export class RequestAllowance {
  private readonly limiter: RateLimiterMemory | undefined;
  private readonly allowances: Readonly<Record<Left['policy'], number>>;

  constructor({ requestsPerMinute: points }: Env) {
    this.allowances = { address: points, token: Math.max(1, Math.floor(points / TOKENS_OF_ADDRESS)) };
    if (points > 0) this.limiter = new RateLimiterMemory({ points: points * PARTS, duration: WINDOW_SECONDS });
  }

  /** @returns undefined when the points are granted, otherwise the whole seconds until the payer may ask again */
  spend(payer: Payer, points = 1): Promise<number | undefined> {
    payer.paid = (payer.paid ?? 0) + points;
    const { tokenId, address } = payer;
    const ofToken = tokenId === undefined ? [] : [this.accountOf(tokenId)];
    // Narrowest first, so that a refusal there costs the wider networks nothing.
    const ofAddress = networksOf(address).map((network) => ({ policy: 'address' as const, ...network }));
    return this.consume(payer, [...ofToken, ...ofAddress], points, undefined);
  }

  /** Charges a token beside its address: all that the request has paid before the token was known. */
  spendOfToken(payer: Payer, tokenId: string): Promise<number | undefined> {
    payer.tokenId = tokenId;
    return this.consume(payer, [this.accountOf(tokenId)], payer.paid ?? 0, payer.left);
  }

  private accountOf(tokenId: string): Account {
    return { policy: 'token', key: tokenId, parts: (PARTS * this.allowances.address) / this.allowances.token };
  }

  /** @param least the allowance that had least left */
  private async consume(
    payer: Payer,
    accounts: readonly Account[],
    points: number,
    least: Left | undefined,
  ): Promise<number | undefined> {
    if (!this.limiter) return undefined;
    let refused: number | undefined;
    for (const { policy, key, parts } of accounts) {
      let isRefused = false;
      const state = await this.limiter.consume(key, points * parts).catch((refusal: RateLimiterRes) => {
        isRefused = true;
        return refusal;
      });
      const seconds = Math.ceil(state.msBeforeNext / 1000);
      const left = { policy, points: Math.floor(state.remainingPoints / parts), seconds };
      if (least === undefined || left.points < least.points) least = left;
      if (isRefused) {
        refused = seconds;
        break;
      }
    }
    if (least) this.tell(payer, least);
    return refused;
  }

  /** Sets the header fields of draft-ietf-httpapi-ratelimit-headers-11. */
  private tell(payer: Payer, left: Left): void {
    payer.left = left;
    const { response } = payer;
    if (!response || response.headersSent) return;
    const { policy, points, seconds } = left;
    response.setHeader('RateLimit-Policy', `"${policy}";q=${this.allowances[policy]};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"${policy}";r=${points};t=${seconds}`);
  }
}
