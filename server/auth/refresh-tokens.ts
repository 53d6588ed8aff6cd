import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keys } from '../keys.js';

/** What a refresh token says: which session, and how often its token had been exchanged when this one was made. */
export interface RefreshToken {
  readonly sessionId: string;
  readonly refreshCount: number;
}

const SHAPE = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\d{1,9})\.([\w-]{43})$/;

/**
 * Session id, counter and HMAC: nothing secret is stored, and the successor of a token is always the same token, so that
 * two tabs which exchange one token at once both end up with the one that counts.
 */
@Injectable()
export class RefreshTokens {
  constructor(private readonly keys: Keys) {}

  issue({ sessionId, refreshCount }: RefreshToken): string {
    const said = `${sessionId}.${refreshCount}`;
    return `${said}.${sign(said, this.keys.keysFor('refresh-token')[0]).toString('base64url')}`;
  }

  /** Undefined where it is not ours. Says nothing about the session. */
  read(token: string): RefreshToken | undefined {
    const [, sessionId, refreshCount, signature] = SHAPE.exec(token) ?? [];
    if (!sessionId || !refreshCount || !signature) return undefined;
    const given = Buffer.from(signature, 'base64url');
    const ours = this.keys
      .keysFor('refresh-token')
      .some((key) => timingSafeEqual(given, sign(`${sessionId}.${refreshCount}`, key)));
    return ours ? { sessionId, refreshCount: Number(refreshCount) } : undefined;
  }
}

function sign(said: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(said).digest();
}
