import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MIN_LENGTH = 32;

/**
 * The secret of a development server: made once, kept in the data folder, readable by its owner only.
 * @throws {Error} when the file is there but holds no secret
 */
export function generatedSecret(dataDir: string): string {
  const file = join(dataDir, 'auth-secret');
  const secret = read(file) ?? create(dataDir, file);
  if (secret.length < MIN_LENGTH) {
    throw new Error(`${file} must hold at least ${MIN_LENGTH} characters. Delete it to have a new one made.`);
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

/** The link makes the whole file appear at once, and loses to another process that was first. */
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
