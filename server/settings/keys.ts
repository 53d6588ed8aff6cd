import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from './env.js';
import { generatedSecret } from './generated-secret.js';

// 'login-cookie' is a wire name: a change ends the sign-ins in progress.
export type KeyPurpose =
  'access-token' | 'address' | 'challenge' | 'link-code' | 'login-cookie' | 'refresh-token' | 'ticket';

const KEY_BYTES = 32;

/** Derives the keys of all purposes from one secret, so that an operator keeps only that one. */
@Injectable()
export class Keys {
  private readonly secrets: readonly string[];
  private readonly derived = new Map<KeyPurpose, readonly Uint8Array[]>();

  constructor(env: Env) {
    this.secrets = env.authSecrets ?? [generatedSecret(env.dataDir)];
  }

  /**
   * One key of 32 bytes for each secret. The first signs or seals, all verify or open, so that sessions survive the
   * replacement of a secret.
   */
  keysFor(purpose: KeyPurpose): readonly [Uint8Array, ...Uint8Array[]] {
    let keys = this.derived.get(purpose);
    if (!keys) {
      // RFC 5869: the purpose in `info` makes the keys independent of each other.
      keys = this.secrets.map(
        (secret) => new Uint8Array(hkdfSync('sha256', secret, '', `tic-tac-toe ${purpose} 1`, KEY_BYTES)),
      );
      this.derived.set(purpose, keys);
    }
    return keys as readonly [Uint8Array, ...Uint8Array[]];
  }
}
