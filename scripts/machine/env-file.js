/** Loads the settings of `.env`, for this process and those that it starts. A variable of the environment wins. */
import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// By its default export, so that an old version of Node comes to the sentence of node-version.js.
import util from 'node:util';
import { ROOT } from './run.js';

const FILE = join(ROOT, '.env');

/** Node's own loader takes a byte-order mark for a part of the first name, and finds no setting in UTF-16. */
function settings() {
  const bytes = existsSync(FILE) ? readFileSync(FILE) : Buffer.of();
  if (isUtf8(bytes) && !bytes.includes(0)) return util.parseEnv(new TextDecoder().decode(bytes));
  throw new Error(`${FILE} is in ${bytes.includes(0) ? 'UTF-16' : 'another encoding'}: save it in UTF-8.`);
}

try {
  Object.assign(process.env, { ...settings(), ...process.env });
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  console.error(code ? `${FILE} cannot be read (${code}).` : message);
  process.exit(1);
}
