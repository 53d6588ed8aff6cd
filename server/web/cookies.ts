import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Env } from '../env.js';

/** Cookies that scripts cannot read and, over https, no other host can set. */
@Injectable()
export class Cookies {
  private readonly secure: boolean;
  private readonly prefix: string;

  constructor(env: Env) {
    this.secure = env.publicOrigin.startsWith('https:');
    this.prefix = this.secure ? '__Host-' : '';
  }

  read(request: Request, name: string): string | undefined {
    return this.all(request).get(name);
  }

  /** The names of the cookies that begin with `start`. */
  names(request: Request, start: string): readonly string[] {
    return [...this.all(request).keys()].filter((name) => name.startsWith(start));
  }

  set(response: Response, name: string, value: string, options: Pick<CookieOptions, 'maxAge' | 'sameSite'>): void {
    response.cookie(this.prefix + name, value, { ...this.flags(), ...options });
  }

  clear(response: Response, name: string, sameSite: CookieOptions['sameSite']): void {
    response.clearCookie(this.prefix + name, { ...this.flags(), sameSite });
  }

  /** Our cookies without their prefix. The values are base64url and dots, so they need no decoding. */
  private all(request: Request): Map<string, string> {
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => {
      const [name = '', ...value] = pair.trim().split('=');
      return [name, value.join('=')] as const;
    });
    return new Map(
      pairs
        .filter(([name]) => name.startsWith(this.prefix))
        .map(([name, value]) => [name.slice(this.prefix.length), value]),
    );
  }

  private flags(): CookieOptions {
    // `__Host-` requires the path `/`. Over http only the endpoints of /auth need the cookies.
    return { httpOnly: true, secure: this.secure, path: this.secure ? '/' : '/auth' };
  }
}
