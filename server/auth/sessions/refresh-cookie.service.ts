import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Keys } from '../../settings/keys.js';
import { Clock } from '../../base/clock.js';
import { Cookies } from '../../web/requests/cookies.js';
import type { Session, SignedInPlayer } from './session.entity.js';

export interface RefreshToken extends SignedInPlayer {
  /** How often the session's token had been exchanged. */
  readonly refreshCount: number;
  /** 0 for the answer to the exchange. Each repetition within the grace period gets the next number. */
  readonly answer: number;
}

const SHAPE =
  /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\d{1,9})(?:\.([1-9]\d{0,8}))?\.([\w-]{43})$/;

const NAME = 'refresh';

type Sender = Pick<FastifyRequest, 'headers'>;

/**
 * The cookie with a browser's refresh token: the id of the player, `_`, the id of the session, `.`, how often the token was exchanged,
 * for a repeated answer `.` and its number, then `.` and the base64url of HMAC-SHA-256; 119 to 137 characters. A forged or
 * malformed token is none, and the answer is `no_session`. The database stores no secret, and every server can issue the
 * successor of a token again.
 *
 * It is no JWT: only we read it, its row has the end, and a signature by jose takes 15 times as long.
 */
@Injectable()
export class RefreshCookie {
  constructor(
    private readonly cookies: Cookies,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** Whether the browser sent the cookie, valid or not. */
  isSent(request: Sender): boolean {
    return this.cookies.read(request, NAME) !== undefined;
  }

  /** Checks the token alone, not its session. @returns undefined when it is forged or malformed */
  read(request: Sender): RefreshToken | undefined {
    const token = this.cookies.read(request, NAME) ?? '';
    const match = SHAPE.exec(token);
    if (!match) return undefined;
    const [, playerId, sessionId, refreshCount, answer, signature] = match;
    const read = {
      playerId: playerId!,
      sessionId: sessionId!,
      refreshCount: Number(refreshCount),
      answer: Number(answer ?? 0),
    };
    const said = text(read);
    const given = Buffer.from(signature!, 'base64url');
    const ours =
      token === `${said}.${signature}` &&
      this.keys.keysFor('refresh-token').some((key) => timingSafeEqual(given, sign(said, key)));
    return ours ? read : undefined;
  }

  /** @param answer the token's number among the answers to its exchange */
  set(reply: FastifyReply, { id, playerId, refreshCount, expiresAt }: Session, answer = 0): void {
    const said = text({ playerId, sessionId: id, refreshCount, answer });
    const token = `${said}.${sign(said, this.keys.keysFor('refresh-token')[0]).toString('base64url')}`;
    this.cookies.set(reply, NAME, token, 'Strict', expiresAt.getTime() - this.clock.now().getTime());
  }

  clear(reply: FastifyReply): void {
    this.cookies.set(reply, NAME, '', 'Strict');
  }
}

function text({ playerId, sessionId, refreshCount, answer }: RefreshToken): string {
  const session = `${playerId}_${sessionId}`;
  return answer === 0 ? `${session}.${refreshCount}` : `${session}.${refreshCount}.${answer}`;
}

function sign(said: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(said).digest();
}
