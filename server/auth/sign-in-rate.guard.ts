import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { type CanActivate, type ExecutionContext, HttpException, HttpStatus, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { Env } from '../env.js';
import { Keys } from './keys.js';

const MINUTE_SECONDS = 60;

/** Sign-ins a minute and address, counted in the database: more server processes do not mean more tries. */
@Injectable()
export class SignInRateGuard implements CanActivate {
  private readonly limiter: RateLimiterPostgres | undefined;

  constructor(
    env: Env,
    private readonly keys: Keys,
    @InjectDataSource() dataSource: DataSource,
  ) {
    const limit = { points: env.signInsPerMinute, duration: MINUTE_SECONDS };
    if (limit.points === 0) return;
    this.limiter = new RateLimiterPostgres({
      ...limit,
      storeClient: dataSource,
      storeType: 'typeorm',
      tableName: 'sign_in_tries',
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(limit),
    });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    try {
      await this.limiter?.consume(this.keyFor(context.getHandler().name, http.getRequest<Request>().ip ?? ''));
      return true;
    } catch (refusal) {
      const seconds = Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000) || 1;
      http.getResponse<Response>().setHeader('Retry-After', String(seconds));
      throw new HttpException(
        { error: `Too many sign-ins. Try again in ${seconds} seconds.`, code: 'too_many_sign_ins' },
        HttpStatus.TOO_MANY_REQUESTS,
      );
    }
  }

  /** The steps of one sign-in are counted apart. The address itself is kept nowhere. */
  private keyFor(step: string, address: string): string {
    const hash = createHmac('sha256', this.keys.keysFor('address')[0]).update(networkOf(address)).digest('base64url');
    return `${step}:${hash}`;
  }
}

/** Whoever has one IPv6 address has the 2^64 of its network, so they count as one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  const all = [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
