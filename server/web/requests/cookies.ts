import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../base/clock.js';
import { Env } from '../../settings/env.js';

type Sender = Pick<FastifyRequest, 'headers'>;
type SameSite = 'Lax' | 'Strict';

/** Cookies that scripts cannot read and, over https, no other host can set. */
@Injectable()
export class Cookies {
  private readonly prefix: string;
  private readonly flags: string;

  constructor(
    { publicOrigin }: Env,
    private readonly clock: Clock,
  ) {
    [this.prefix, this.flags] = publicOrigin.startsWith('https:') ? ['__Host-', 'HttpOnly; Secure'] : ['', 'HttpOnly'];
  }

  /** The last of several, which is ours: browsers send those with a longer path first. @fastify/cookie takes the first. */
  read(request: Sender, name: string): string | undefined {
    return this.all(request)
      .findLast((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  }

  names(request: Sender, start: string): readonly string[] {
    return this.all(request).flatMap((pair) => (pair.startsWith(start) ? pair.split('=', 1) : []));
  }

  /** @param maxAge in milliseconds; without it, the browser forgets the cookie */
  set(reply: FastifyReply, name: string, value: string, sameSite: SameSite, maxAge?: number): void {
    const expires = maxAge === undefined ? new Date(0) : new Date(this.clock.now().getTime() + maxAge);
    const age = maxAge === undefined ? '' : ` Max-Age=${Math.floor(maxAge / 1000)};`;
    // The values are base64url and dots, so they need no encoding.
    const cookie = `${this.prefix}${name}=${value};${age} Path=/; Expires=${expires.toUTCString()}; ${this.flags}`;
    reply.header('Set-Cookie', `${cookie}; SameSite=${sameSite}`);
  }

  /** Our cookies without their prefix. */
  private all({ headers }: Sender): string[] {
    const pairs = (headers.cookie ?? '').split(/; */);
    return pairs.flatMap((pair) => (pair.startsWith(this.prefix) ? pair.slice(this.prefix.length) : []));
  }
}
