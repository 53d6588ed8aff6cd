import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../base/clock.js';
import { Env } from '../../settings/env.js';

type Sender = Pick<IncomingMessage, 'headers'>;
type SameSite = 'lax' | 'strict';

/** Cookies that scripts cannot read and, over https, no other host can set. */
@Injectable()
export class Cookies {
  private readonly prefix: string;
  private readonly flags: string;

  constructor(
    env: Env,
    private readonly clock: Clock,
  ) {
    const secure = env.publicOrigin.startsWith('https:');
    this.prefix = secure ? '__Host-' : '';
    this.flags = secure ? 'HttpOnly; Secure' : 'HttpOnly';
  }

  read(request: Sender, name: string): string | undefined {
    return this.all(request).get(name);
  }

  names(request: Sender, start: string): readonly string[] {
    return [...this.all(request).keys()].filter((name) => name.startsWith(start));
  }

  /** @param maxAge in milliseconds */
  set(
    response: ServerResponse,
    name: string,
    value: string,
    { maxAge, sameSite }: { maxAge: number; sameSite: SameSite },
  ): void {
    const expires = new Date(this.clock.now().getTime() + maxAge);
    this.append(response, `${name}=${value}; Max-Age=${Math.floor(maxAge / 1000)}`, sameSite, expires);
  }

  clear(response: ServerResponse, name: string, sameSite: SameSite): void {
    this.append(response, `${name}=`, sameSite, new Date(0));
  }

  /** The values are base64url and dots, so they need no encoding. */
  private append(response: ServerResponse, cookie: string, sameSite: SameSite, expires: Date): void {
    const site = sameSite === 'lax' ? 'Lax' : 'Strict';
    const attributes = `Path=/; Expires=${expires.toUTCString()}; ${this.flags}; SameSite=${site}`;
    response.appendHeader('Set-Cookie', `${this.prefix}${cookie}; ${attributes}`);
  }

  /** Our cookies without their prefix. */
  private all({ headers }: Sender): Map<string, string> {
    const cookies = new Map<string, string>();
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [name = '', ...value] = pair.trim().split('=');
      if (name.startsWith(this.prefix)) cookies.set(name.slice(this.prefix.length), value.join('='));
    }
    return cookies;
  }
}
