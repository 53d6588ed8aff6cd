import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DIFFICULTIES, type Difficulty } from '../../game/bot.js';
import { Keys } from '../keys/keys.js';
import { Clock } from '../clock.js';
import { uuidText } from '../uuid.js';

/** The server's word that one player may have one game counted, against a bot that follows from difficulty and seed. */
export interface Ticket {
  readonly gameId: string;
  readonly playerId: string;
  readonly difficulty: Difficulty;
  /** 32 hexadecimal digits. */
  readonly seed: string;
  readonly issuedAt: Date;
}

/** Long enough for a game that was finished without a network and is sent days later. Milliseconds. */
const LIFETIME = 7 * 24 * 60 * 60 * 1000;

const VERSION = 1;
const BODY_LENGTH = 1 + 1 + 16 + 16 + 16 + 6;
const MAC_LENGTH = 32;
const TOKEN_LENGTH = Math.ceil(((BODY_LENGTH + MAC_LENGTH) * 4) / 3);

/**
 * Issues and opens tickets. Nothing is stored: what a ticket says is bound by an HMAC. On the wire it is base64url of
 * version, difficulty, game id, player id, seed, time of issue in milliseconds (6 bytes), HMAC-SHA-256.
 */
@Injectable()
export class Tickets {
  constructor(
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  issue(playerId: string, difficulty: Difficulty): { ticket: Ticket; token: string; expiresAt: Date } {
    const ticket: Ticket = {
      gameId: randomUUID(),
      playerId,
      difficulty,
      seed: randomBytes(16).toString('hex'),
      issuedAt: this.clock.now(),
    };
    const body = encode(ticket);
    const [signingKey] = this.keys.keysFor('ticket');
    const token = Buffer.concat([body, mac(signingKey, body)]).toString('base64url');
    return { ticket, token, expiresAt: new Date(ticket.issuedAt.getTime() + LIFETIME) };
  }

  /** Why not: `invalid` is not of our making, `expired` was once good. */
  open(token: string): { ok: true; ticket: Ticket } | { ok: false; reason: 'invalid' | 'expired' } {
    const bytes = token.length === TOKEN_LENGTH ? Buffer.from(token, 'base64url') : Buffer.alloc(0);
    // One ticket has one spelling: base64url readers forgive stray bits and foreign letters.
    if (bytes.length !== BODY_LENGTH + MAC_LENGTH || bytes.toString('base64url') !== token) {
      return { ok: false, reason: 'invalid' };
    }
    const body = bytes.subarray(0, BODY_LENGTH);
    const given = bytes.subarray(BODY_LENGTH);
    if (!this.keys.keysFor('ticket').some((key) => timingSafeEqual(mac(key, body), given))) {
      return { ok: false, reason: 'invalid' };
    }
    const ticket = decode(body);
    if (!ticket) return { ok: false, reason: 'invalid' };
    const age = this.clock.now().getTime() - ticket.issuedAt.getTime();
    return age < LIFETIME ? { ok: true, ticket } : { ok: false, reason: 'expired' };
  }
}

function mac(key: Uint8Array, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest();
}

function encode({ gameId, playerId, difficulty, seed, issuedAt }: Ticket): Buffer {
  const time = Buffer.alloc(6);
  time.writeUIntBE(issuedAt.getTime(), 0, 6);
  const head = Buffer.from([VERSION, DIFFICULTIES.indexOf(difficulty)]);
  return Buffer.concat([head, uuidBytes(gameId), uuidBytes(playerId), Buffer.from(seed, 'hex'), time]);
}

function decode(body: Buffer): Ticket | undefined {
  const difficulty = DIFFICULTIES[body[1]!];
  if (body[0] !== VERSION || !difficulty) return undefined;
  return {
    gameId: uuidText(body.subarray(2, 18)),
    playerId: uuidText(body.subarray(18, 34)),
    difficulty,
    seed: body.subarray(34, 50).toString('hex'),
    issuedAt: new Date(body.readUIntBE(50, 6)),
  };
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
