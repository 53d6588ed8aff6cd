import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { Clock } from '../../base/clock.js';
import { type KeyPurpose, Keys } from '../../settings/keys.js';
import { Cookies } from '../../web/requests/cookies.js';
import type { ProviderName } from '../players/profile.js';
import type { SignedInPlayer } from '../sessions/session.entity.js';

const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const;

/** Encrypts what a browser keeps for us. Browsers can neither read nor change it. */
@Injectable()
export class Seals {
  constructor(
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  seal(purpose: KeyPurpose, content: object, lifetimeSeconds: number): Promise<string> {
    return new EncryptJWT({ ...content })
      .setProtectedHeader(ALGORITHM)
      .setExpirationTime(Math.floor(this.clock.now().getTime() / 1000) + lifetimeSeconds)
      .encrypt(this.keys.keysFor(purpose)[0]);
  }

  /** @returns undefined when the text is forged or expired */
  async open<Content>(purpose: KeyPurpose, sealed: string): Promise<Content | undefined> {
    for (const key of this.keys.keysFor(purpose)) {
      try {
        const { payload } = await jwtDecrypt<Content>(sealed, key, {
          keyManagementAlgorithms: [ALGORITHM.alg],
          contentEncryptionAlgorithms: [ALGORITHM.enc],
          requiredClaims: ['exp'],
          currentDate: this.clock.now(),
        });
        return payload;
      } catch {
        // The next key may open it.
      }
    }
    return undefined;
  }
}

/** The state of a sign-in between the redirect to the provider and its callback. */
export interface PendingSignIn {
  readonly provider: ProviderName;
  readonly issuer: string;
  readonly state: string;
  readonly nonce?: string;
  /** The PKCE verifier for the provider. */
  readonly codeVerifier: string;
  /** The page's own S256 challenge, for the code that the page gets at the end. */
  readonly codeChallenge: string;
  readonly returnTo: string;
  /** The session that adds the identity to its player. Absent in a sign-in. */
  readonly link?: SignedInPlayer;
}

const PENDING_SECONDS = 600;
const MAX_PENDING = 5;
// Browsers hold cookies of this name: another name ends the sign-ins in progress.
const PREFIX = 'login-';

/** One sealed cookie for each pending sign-in, named after its state, so that two tabs can sign in at the same time. */
@Injectable()
export class SignInCookies {
  constructor(
    private readonly cookies: Cookies,
    private readonly seals: Seals,
  ) {}

  async seal(request: FastifyRequest, reply: FastifyReply, signIn: PendingSignIn): Promise<void> {
    // Without a limit, abandoned sign-ins would make the Cookie header too long. Browsers send the oldest cookie first.
    for (const name of this.cookies.names(request, PREFIX).slice(0, 1 - MAX_PENDING)) {
      this.cookies.set(reply, name, '', 'Lax');
    }
    const sealed = await this.seals.seal('login-cookie', signIn, PENDING_SECONDS);
    // Lax, not Strict: the callback is a navigation that the provider's site starts.
    this.cookies.set(reply, nameFor(signIn.state), sealed, 'Lax', PENDING_SECONDS * 1000);
  }

  /** Clears the cookie too, so that it opens once. @returns undefined when this browser has no such sign-in */
  async open(request: FastifyRequest, reply: FastifyReply, state: string): Promise<PendingSignIn | undefined> {
    const sealed = this.cookies.read(request, nameFor(state));
    if (!sealed) return undefined;
    this.cookies.set(reply, nameFor(state), '', 'Lax');
    const signIn = await this.seals.open<PendingSignIn>('login-cookie', sealed);
    return signIn?.state === state ? signIn : undefined;
  }
}

function nameFor(state: string): string {
  return `${PREFIX}${state.slice(0, 16)}`;
}
