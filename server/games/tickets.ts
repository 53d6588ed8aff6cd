import { createHmac, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DIFFICULTIES, type Difficulty } from '../../game/bot.js';
import { Keys } from '../settings/keys.js';
import { Clock, DAY } from '../base/clock.js';
import { uuidBytes, uuidText } from '../base/uuid.js';

/** Allows one player to have one game counted. Difficulty and seed determine the bot's moves. */
export interface Ticket {
  readonly gameId: string;
  readonly playerId: string;
  readonly difficulty: Difficulty;
  /** 32 hexadecimal digits. */
  readonly seed: string;
  readonly issuedAt: Date;
  /** Whether a personal token has got it: the game then counts as one of a program, whoever sends it. */
  readonly byProgram: boolean;
}

/** Milliseconds. A player without a network can send a game days after its end. */
const LIFETIME = 7 * DAY;

const VERSION = 1;
const BODY_LENGTH = 1 + 1 + 1 + 16 + 16 + 16 + 6;
const MAC_LENGTH = 32;
const TOKEN_LENGTH = Math.ceil(((BODY_LENGTH + MAC_LENGTH) * 4) / 3);

/**
 * Issues and verifies tickets, which the server does not store. A token is the base64url of version, difficulty and whether a program
 * got it (a byte each), game id, player id and seed (16 bytes each), time of issue in milliseconds (6 bytes) and HMAC-SHA-256:
 * 119 characters, each ticket has one. Another text is `invalid`, and after a week `expired`.
 *
 * It is no JWT: only we read it, and jose would make it three times as long and take six times the time.
 */
@Injectable()
export class Tickets {
  constructor(
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  issue(
    playerId: string,
    difficulty: Difficulty,
    byProgram = false,
  ): { ticket: Ticket; token: string; expiresAt: Date } {
    const [signingKey] = this.keys.keysFor('ticket');
    const ticket: Ticket = {
      gameId: randomUUID(),
      playerId,
      difficulty,
      seed: randomBytes(16).toString('hex'),
      issuedAt: this.clock.now(),
      byProgram,
    };
    const body = encode(ticket);
    const token = Buffer.concat([body, mac(signingKey, body)]).toString('base64url');
    return { ticket, token, expiresAt: new Date(ticket.issuedAt.getTime() + LIFETIME) };
  }

  /** Verifies and decodes a token: `invalid` when this server did not issue it, `expired` when it is too old. */
  open(token: string): { ok: true; ticket: Ticket } | { ok: false; reason: 'invalid' | 'expired' } {
    const bytes = Buffer.from(token, 'base64url');
    const [body, given] = [bytes.subarray(0, BODY_LENGTH), bytes.subarray(BODY_LENGTH)];
    // The decoder tolerates stray bits and foreign characters, so compare: each ticket has only one valid token.
    const isWhole = token.length === TOKEN_LENGTH && bytes.toString('base64url') === token;
    const isOurs = isWhole && this.keys.keysFor('ticket').some((key) => timingSafeEqual(mac(key, body), given));
    const ticket = isOurs ? decode(body) : undefined;
    if (!ticket) return { ok: false, reason: 'invalid' };
    const age = this.clock.now().getTime() - ticket.issuedAt.getTime();
    return age < LIFETIME ? { ok: true, ticket } : { ok: false, reason: 'expired' };
  }
}

function mac(key: KeyObject, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest();
}

function encode({ gameId, playerId, difficulty, seed, issuedAt, byProgram }: Ticket): Buffer {
  const time = Buffer.alloc(6);
  time.writeUIntBE(issuedAt.getTime(), 0, 6);
  const head = Buffer.from([VERSION, DIFFICULTIES.indexOf(difficulty), Number(byProgram)]);
  return Buffer.concat([head, uuidBytes(gameId), uuidBytes(playerId), Buffer.from(seed, 'hex'), time]);
}

function decode(body: Buffer): Ticket | undefined {
  const difficulty = DIFFICULTIES[body[1]!];
  if (body[0] !== VERSION || !difficulty) return undefined;
  return {
    gameId: uuidText(body.subarray(3, 19)),
    playerId: uuidText(body.subarray(19, 35)),
    difficulty,
    seed: body.subarray(35, 51).toString('hex'),
    issuedAt: new Date(body.readUIntBE(51, 6)),
    byProgram: body[2] === 1,
  };
}
