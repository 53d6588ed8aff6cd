import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Clock } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { Keys } from '../settings/keys.js';
import { Tickets } from './tickets.js';

const PLAYER = '0d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e';
const GAME = '11111111-2222-4333-8444-555555555555';
const SEED = '0123456789abcdef0123456789abcdef';
const NOW = new Date('2026-03-01T12:00:00.123Z');
const NEW_SECRET = 'n'.repeat(32);

const keysOf = (...authSecrets: string[]) => new Keys(Object.assign(new Env(), { authSecrets }));
const ticketsAt = (now: Date, keys = keysOf(NEW_SECRET)) =>
  new Tickets(keys, Object.assign(new Clock(), { now: () => now }));

/** A token made by hand, byte for byte as the class comment describes it. */
function tokenOf({ version = 1, difficulty = 1, byProgram = 0 } = {}): string {
  const time = Buffer.alloc(6);
  time.writeUIntBE(NOW.getTime(), 0, 6);
  const ids = [GAME, PLAYER].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'));
  const body = Buffer.concat([Buffer.from([version, difficulty, byProgram]), ...ids, Buffer.from(SEED, 'hex'), time]);
  const mac = createHmac('sha256', keysOf(NEW_SECRET).keysFor('ticket')[0]).update(body).digest();
  return Buffer.concat([body, mac]).toString('base64url');
}

describe('a new ticket', () => {
  test('has a game id and a 128-bit seed of its own', () => {
    const tickets = ticketsAt(NOW);
    const [first, second] = [tickets.issue(PLAYER, 'easy').ticket, tickets.issue(PLAYER, 'easy').ticket];
    for (const { gameId, seed } of [first, second]) {
      expect(gameId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(seed).toMatch(/^[\da-f]{32}$/);
    }
    expect(first.gameId).not.toBe(second.gameId);
    expect(first.seed).not.toBe(second.seed);
  });
});

describe('opening a ticket', () => {
  const tickets = ticketsAt(NOW);
  const invalid = { ok: false, reason: 'invalid' };

  test('reads the documented wire format', () => {
    expect(tickets.open(tokenOf())).toEqual({
      ok: true,
      ticket: { gameId: GAME, playerId: PLAYER, difficulty: 'medium', seed: SEED, issuedAt: NOW, byProgram: false },
    });
    expect(tickets.open(tokenOf({ byProgram: 1 }))).toMatchObject({ ticket: { byProgram: true } });
  });

  test('rejects another version and an unknown difficulty, although the signature is right', () => {
    expect(tickets.open(tokenOf({ version: 0 }))).toEqual(invalid);
    expect(tickets.open(tokenOf({ version: 2 }))).toEqual(invalid);
    expect(tickets.open(tokenOf({ difficulty: 3 }))).toEqual(invalid);
  });

  test('rejects a token with any character changed', () => {
    const token = tokenOf();
    const opened = [...token].filter((character, at) => {
      const changed = token.slice(0, at) + (character === 'A' ? 'B' : 'A') + token.slice(at + 1);
      return tickets.open(changed).ok;
    });
    expect(opened).toEqual([]);
  });

  test('rejects other spellings of the same bytes', () => {
    const token = tokenOf();
    const bytes = Buffer.from(token, 'base64url');
    // The last character carries four bits of the signature and two that mean nothing.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spellings = [...letters]
      .map((letter) => token.slice(0, -1) + letter)
      .filter((text) => text !== token && Buffer.from(text, 'base64url').equals(bytes));
    expect(spellings).toHaveLength(3);
    for (const spelling of [...spellings, bytes.toString('base64'), `${token}=`, `${token}\n`]) {
      expect(tickets.open(spelling)).toEqual(invalid);
    }
  });
});
