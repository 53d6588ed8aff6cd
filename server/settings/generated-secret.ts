import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MIN_LENGTH = 32;

/**
 * The secret of a server without AUTH_SECRET. It is generated once and stored in a file that only its owner can read.
 * @throws {Error} when the file exists but contains no secret
 */
export function generatedSecret(dataDir: string): string {
  const file = join(dataDir, 'auth-secret');
  const secret = read(file) ?? create(dataDir, file);
  if (secret.length < MIN_LENGTH) {
    throw new Error(`${file} must hold at least ${MIN_LENGTH} characters. Delete it to generate a new one.`);
  }
  return secret;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** `linkSync` creates the whole file at once, and fails when another process has created it first. */
function create(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
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
