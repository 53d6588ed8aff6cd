import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { OperatorError } from '../base/errors.js';
import { Env } from './env.js';
import { makeDataDir } from './folders.js';

// The key depends on the name: another name for 'login-cookie' ends the sign-ins in progress.
export type KeyPurpose =
  | 'access-token'
  | 'address'
  | 'challenge'
  | 'challenge-identity'
  | 'link-code'
  | 'login-cookie'
  | 'refresh-token'
  | 'ticket';

const KEY_BYTES = 32;
const MIN_SECRET_LENGTH = 32;

/** Derives the keys of all purposes from one secret, so that an operator keeps only that one. */
@Injectable()
export class Keys {
  private readonly secrets: readonly string[];
  private readonly derived = new Map<KeyPurpose, readonly KeyObject[]>();

  constructor(env: Env) {
    // A secret that is there twice, in the middle of its replacement, is one key.
    this.secrets = [...new Set(env.authSecrets ?? [generatedSecret(env.dataDir)])];
  }

  /**
   * One key of 32 bytes for each secret. The first signs or seals, all verify or open, so that sessions survive the
   * replacement of a secret. Node would make a key of bytes anew for each HMAC, which takes five times as long.
   */
  keysFor(purpose: KeyPurpose): readonly [KeyObject, ...KeyObject[]] {
    let keys = this.derived.get(purpose);
    if (!keys) {
      // RFC 5869: the purpose in `info` makes the keys independent of each other.
      const derive = (secret: string) => hkdfSync('sha256', secret, '', `tic-tac-toe ${purpose} 1`, KEY_BYTES);
      keys = this.secrets.map((secret) => createSecretKey(Buffer.from(derive(secret))));
      this.derived.set(purpose, keys);
    }
    return keys as readonly [KeyObject, ...KeyObject[]];
  }
}

/**
 * The secret of a server without AUTH_SECRET. It is generated once and stored in a file that only its owner can read.
 * @throws {OperatorError} when the file exists but contains no secret, or cannot be read or made
 */
function generatedSecret(dataDir: string): string {
  const file = join(dataDir, 'auth-secret');
  const secret = read(file) ?? create(dataDir, file);
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new OperatorError(
      `${file} must hold at least ${MIN_SECRET_LENGTH} characters. Delete it to generate a new one.`,
    );
  }
  return secret;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Without the folder, or with a file in its place, the folder is the next to be made.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new OperatorError(
      `The server cannot start: ${file} cannot be read (${code}). Give its user the right to read it, or set AUTH_SECRET.`,
      { cause: error },
    );
  }
}

/** `linkSync` creates the whole file at once, and fails when another process has created it first. */
function create(dataDir: string, file: string): string {
  makeDataDir(dataDir);
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}
