import { Injectable } from '@nestjs/common';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { Clock } from '../../base/clock.js';
import { type KeyPurpose, Keys } from '../../settings/keys.js';

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
