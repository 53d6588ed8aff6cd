import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Controller, Get, Header, Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, exportJWK, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { Clock } from '../../base/clock.js';
import { Env } from '../../settings/env.js';
import { Keys } from '../../settings/keys.js';
import { LruCache } from '../../base/lru-cache.js';
import { uuidBytes, uuidText } from '../../base/uuid.js';
import type { SignedInPlayer } from './session.js';

export const ACCESS_TOKEN_SECONDS = 600;

/** How many verified tokens are kept: the players of ten minutes. Each takes about a kilobyte. */
const KEPT_TOKENS = 10_000;

// RFC 8410: a PKCS #8 Ed25519 private key is this prefix followed by its 32-byte seed.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

interface Verified {
  readonly player: SignedInPlayer;
  /** In seconds since 1970. */
  readonly expiresAt: number;
}

/** Short-lived bearer tokens in the shape of RFC 9068. */
@Injectable()
export class AccessTokens {
  private readonly signingKeys: Promise<Awaited<ReturnType<typeof signingKey>>[]>;
  private readonly audience: string;
  /** By the text of the token. A signature stays valid, so only the expiry of a known token is checked again. */
  private readonly verified = new LruCache<Verified>(KEPT_TOKENS);

  constructor(
    private readonly env: Env,
    private readonly clock: Clock,
    keys: Keys,
  ) {
    this.audience = `${env.publicOrigin}/graphql`;
    this.signingKeys = Promise.all(keys.keysFor('access-token').map(signingKey));
  }

  async issue({ playerId, sessionId }: SignedInPlayer): Promise<string> {
    const [key] = await this.signingKeys;
    const now = Math.floor(this.clock.now().getTime() / 1000);
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key!.kid })
      .setIssuer(this.env.publicOrigin)
      .setAudience(this.audience)
      .setSubject(playerId)
      .setIssuedAt(now)
      .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
      .sign(key!.privateKey);
  }

  /** Checks the token alone, not its session. @returns undefined when it is forged, malformed or expired */
  async verify(token: string): Promise<SignedInPlayer | undefined> {
    const now = this.clock.now();
    const known = this.verified.get(token);
    if (known) return known.expiresAt > Math.floor(now.getTime() / 1000) ? known.player : undefined;
    const keys = await this.signingKeys;
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = keys.find((candidate) => candidate.kid === kid);
          if (!key) throw new Error('unknown key');
          return key.publicKey;
        },
        {
          algorithms: ['EdDSA'],
          typ: 'at+jwt',
          issuer: this.env.publicOrigin,
          audience: this.audience,
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
          currentDate: now,
        },
      );
      const player = { playerId: String(payload.sub), sessionId: String(payload.sid) };
      this.verified.set(token, { player, expiresAt: payload.exp! });
      return player;
    } catch {
      return undefined;
    }
  }

  async publicKeys(): Promise<JSONWebKeySet> {
    return { keys: (await this.signingKeys).map(({ publicJwk }) => publicJwk) };
  }
}

async function signingKey(seed: Uint8Array) {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, privateKey, publicKey, publicJwk: { ...jwk, kid, alg: 'EdDSA', use: 'sig' } };
}

/** The public keys of our access tokens (RFC 7517). */
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly accessTokens: AccessTokens) {}

  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  keys(): Promise<JSONWebKeySet> {
    return this.accessTokens.publicKeys();
  }
}

/** With this beginning and the checksum, scanners of repositories find a token without asking us. */
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

/**
 * A new token: both ids and 128 random bits in base 36, and their checksum. The player is in it, so that a distributed database
 * finds it on one shard.
 */
export function newTokenText({ playerId, sessionId }: SignedInPlayer): string {
  const bytes = Buffer.concat([uuidBytes(playerId), uuidBytes(sessionId), randomBytes(SECRET_BYTES)]);
  const digits = BigInt(`0x${bytes.toString('hex')}`)
    .toString(BASE)
    .padStart(DIGITS, '0');
  return PREFIX + digits + checksumOf(digits);
}

/** @returns undefined when the text is no token of ours, incomplete or mistyped */
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
