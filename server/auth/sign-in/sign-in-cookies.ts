import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { Clock } from '../../clock.js';
import { Cookies } from '../../web/cookies.js';
import { Keys } from '../../keys/keys.js';
import type { ProviderName } from '../players/provider-name.js';

/** What must be remembered between the way to the provider and the way back. */
export interface Login {
  readonly provider: ProviderName;
  readonly state: string;
  readonly nonce?: string;
  /** The PKCE verifier towards the provider. */
  readonly codeVerifier: string;
  /** The page's own S256 challenge, for the code that we give it at the end. */
  readonly codeChallenge: string;
  readonly returnTo: string;
}

const LOGIN_SECONDS = 600;
const MAX_PENDING = 5;
const PREFIX = 'login-';

/** One sealed cookie for each login under way, named after its state, so that logins in two tabs do not disturb each other. */
@Injectable()
export class SignInCookies {
  constructor(
    private readonly cookies: Cookies,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  newState(): string {
    return randomBytes(32).toString('base64url');
  }

  async seal(request: Request, response: Response, login: Login): Promise<void> {
    // Abandoned logins would otherwise pile up until the header is too long for any server. Browsers name the oldest first.
    for (const name of this.cookies.names(request, PREFIX).slice(0, 1 - MAX_PENDING)) {
      this.cookies.clear(response, name, 'lax');
    }
    const sealed = await new EncryptJWT({ ...login })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(Math.floor(this.clock.now().getTime() / 1000) + LOGIN_SECONDS)
      .encrypt(this.keys.keysFor('login-cookie')[0]);
    // Lax, not Strict: the way back from the provider is a navigation that another site began.
    this.cookies.set(response, nameFor(login.state), sealed, { maxAge: LOGIN_SECONDS * 1000, sameSite: 'lax' });
  }

  /** The login that a state belongs to in this browser, once: the cookie is cleared. Undefined where there is none. */
  async open(request: Request, response: Response, state: string): Promise<Login | undefined> {
    const sealed = this.cookies.read(request, nameFor(state));
    if (!sealed) return undefined;
    this.cookies.clear(response, nameFor(state), 'lax');
    for (const key of this.keys.keysFor('login-cookie')) {
      const login = await this.unseal(sealed, key);
      if (login?.state === state) return login;
    }
    return undefined;
  }

  private async unseal(sealed: string, key: Uint8Array): Promise<Login | undefined> {
    try {
      const { payload } = await jwtDecrypt<Login>(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
        currentDate: this.clock.now(),
      });
      return payload;
    } catch {
      return undefined;
    }
  }
}

function nameFor(state: string): string {
  return `${PREFIX}${state.slice(0, 16)}`;
}
