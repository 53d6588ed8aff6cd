import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../base/clock.js';
import { Cookies } from '../../web/answers/cookies.js';
import { type RefreshToken, RefreshTokens } from './refresh-tokens.js';
import type { Session } from './session.entity.js';

const NAME = 'refresh';

type Sender = Pick<IncomingMessage, 'headers'>;

/** The cookie that holds a browser's refresh token. */
@Injectable()
export class RefreshCookie {
  constructor(
    private readonly cookies: Cookies,
    private readonly refreshTokens: RefreshTokens,
    private readonly clock: Clock,
  ) {}

  /** Whether the browser sent the cookie, valid or not. */
  isSent(request: Sender): boolean {
    return this.cookies.read(request, NAME) !== undefined;
  }

  read(request: Sender): RefreshToken | undefined {
    return this.refreshTokens.read(this.cookies.read(request, NAME) ?? '');
  }

  /** @param answer the token's number among the answers to its exchange */
  set(response: ServerResponse, { id, playerId, refreshCount, expiresAt }: Session, answer = 0): void {
    this.cookies.set(response, NAME, this.refreshTokens.issue({ playerId, sessionId: id, refreshCount, answer }), {
      maxAge: expiresAt.getTime() - this.clock.now().getTime(),
      sameSite: 'strict',
    });
  }

  clear(response: ServerResponse): void {
    this.cookies.clear(response, NAME, 'strict');
  }
}
