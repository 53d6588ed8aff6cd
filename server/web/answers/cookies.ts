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
  private readonly path: string;
  private readonly flags: string;

  constructor(
    env: Env,
    private readonly clock: Clock,
  ) {
    const secure = env.publicOrigin.startsWith('https:');
    this.prefix = secure ? '__Host-' : '';
    // `__Host-` requires the path `/`. Over http only the endpoints of /auth need the cookies.
    this.path = secure ? '/' : '/auth';
    this.flags = secure ? 'HttpOnly; Secure' : 'HttpOnly';
  }

  read(request: Sender, name: string): string | undefined {
    return this.all(request).get(name);
  }

  /** The names of the cookies that begin with `start`. */
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
    const age = `Max-Age=${Math.floor(maxAge / 1000)}`;
    this.append(response, name, value, sameSite, new Date(this.clock.now().getTime() + maxAge), age);
  }

  clear(response: ServerResponse, name: string, sameSite: SameSite): void {
    this.append(response, name, '', sameSite, new Date(0));
  }

  /** The values are base64url and dots, so they need no encoding. */
  private append(
    response: ServerResponse,
    name: string,
    value: string,
    sameSite: SameSite,
    expires: Date,
    ...age: string[]
  ): void {
    const attributes = [
      ...age,
      `Path=${this.path}`,
      `Expires=${expires.toUTCString()}`,
      this.flags,
      `SameSite=${sameSite === 'lax' ? 'Lax' : 'Strict'}`,
    ];
    response.appendHeader('Set-Cookie', [`${this.prefix}${name}=${value}`, ...attributes].join('; '));
  }

  /** Our cookies without their prefix. */
  private all({ headers }: Sender): Map<string, string> {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => {
      const [name = '', ...value] = pair.trim().split('=');
      return [name, value.join('=')] as const;
    });
    return new Map(
      pairs
        .filter(([name]) => name.startsWith(this.prefix))
        .map(([name, value]) => [name.slice(this.prefix.length), value]),
    );
  }
}
