import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, createLocalJWKSet, exportJWK, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { Clock } from '../../base/clock.js';
import { Env } from '../../settings/env.js';
import { Keys } from '../../settings/keys.js';
import { LruCache } from '../../base/lru-cache.js';
import type { SignedInPlayer } from './session.entity.js';

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

/**
 * An access token: a JWT in the shape of RFC 9068, signed with Ed25519 by jose. `sub` is the player, `sid` the session, `iss` our
 * origin, `aud` our API; it ends after ten minutes. About 460 characters. One that is forged, malformed or expired is
 * `unauthenticated`, and the row of its session decides the rest.
 */
@Injectable()
export class AccessTokens {
  private readonly signingKeys: Promise<Awaited<ReturnType<typeof signingKey>>[]>;
  private readonly verifyingKeys: Promise<ReturnType<typeof createLocalJWKSet>>;
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
    this.verifyingKeys = this.publicKeys().then(createLocalJWKSet);
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
    const keys = await this.verifyingKeys;
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        issuer: this.env.publicOrigin,
        audience: this.audience,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        currentDate: now,
      });
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

async function signingKey(seed: KeyObject) {
  const key = Buffer.concat([PKCS8_PREFIX, seed.export()]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const jwk = await exportJWK(createPublicKey(privateKey));
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, privateKey, publicJwk: { ...jwk, kid, alg: 'EdDSA', use: 'sig' } };
}
