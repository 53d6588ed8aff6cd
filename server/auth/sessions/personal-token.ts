import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { uuidBytes, uuidText } from '../../base/uuid.js';
import type { SignedInPlayer } from './session.entity.js';

/**
 * The text of a personal token, 86 characters: `ttt_`, then in base 36 the id of the player, the id of the session and 128 random
 * bits (75 digits), then their CRC-32 (7 digits). By the beginning and the checksum, scanners of repositories find a token
 * without asking us. With the player in it, a distributed database finds the row on one shard. The row has the SHA-256.
 * Another text is `token_unknown`, whatever is wrong with it.
 *
 * It is no JWT: a token may live for years and is revoked by its row, so a signature would say nothing that the row does not,
 * and the text would be three times as long.
 */
const PREFIX = 'ttt_';
const BASE = 36;
const ID_BYTES = 16;
const SECRET_BYTES = 16;
const BYTES = 2 * ID_BYTES + SECRET_BYTES;
/** The digits of the largest number of so many bytes. */
const digitsFor = (bytes: number) => (2n ** BigInt(8 * bytes) - 1n).toString(BASE).length;
const DIGITS = digitsFor(BYTES);
const CHECK_DIGITS = digitsFor(4);

const TOKEN = new RegExp(`^${PREFIX}([0-9a-z]{${DIGITS}})([0-9a-z]{${CHECK_DIGITS}})$`);

/** Half a token is refused too: the missing digits could be guessed. */
const INSIDE = new RegExp(`${PREFIX}[0-9a-z]{${Math.floor(DIGITS / 2)}}`, 'i');

/** Whether an address has something that could be a personal token, also in capital letters or encoded twice. */
export function hasToken(address: string): boolean {
  const decoded = address.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return INSIDE.test(decoded);
}

/** Whether the text claims to be a personal token, complete or not. */
export const isPersonalToken = (text: string) => text.startsWith(PREFIX);

export function newTokenText({ playerId, sessionId }: SignedInPlayer): string {
  const bytes = Buffer.concat([uuidBytes(playerId), uuidBytes(sessionId), randomBytes(SECRET_BYTES)]);
  const digits = BigInt(`0x${bytes.toString('hex')}`)
    .toString(BASE)
    .padStart(DIGITS, '0');
  return PREFIX + digits + checksumOf(digits);
}

/** @returns what the text names, which only the hash in the row proves; undefined for an incomplete or mistyped one */
export function readTokenText(text: string): SignedInPlayer | undefined {
  const [, digits, checksum] = TOKEN.exec(text) ?? [];
  if (!digits || checksum !== checksumOf(digits)) return undefined;
  let number = 0n;
  for (const digit of digits) number = number * BigInt(BASE) + BigInt(parseInt(digit, BASE));
  const hex = number.toString(16).padStart(2 * BYTES, '0');
  if (hex.length !== 2 * BYTES) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  const idAt = (index: number) => uuidText(bytes.subarray(ID_BYTES * index, ID_BYTES * (index + 1)));
  return { playerId: idAt(0), sessionId: idAt(1) };
}

const checksumOf = (digits: string) => crc32(digits).toString(BASE).padStart(CHECK_DIGITS, '0');

/** The text has 128 random bits, so a fast hash is enough. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest();

export const hasHash = (text: string, hash: Buffer | null | undefined) => !!hash && timingSafeEqual(hash, hashOf(text));
