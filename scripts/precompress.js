/** Writes a .br and a .gz beside every text file of the built page, once, at the highest level: the server only picks. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const built = join(dirname(fileURLToPath(import.meta.url)), '../dist/client');
const TEXT = /\.(html|js|css|svg|json|webmanifest|txt|ttf)$/;
/** Below this the headers weigh more than what compression saves. */
const WORTH_IT_BYTES = 512;

for (const path of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
  if (!TEXT.test(path)) continue;
  const file = join(built, path);
  const content = readFileSync(file);
  if (content.length < WORTH_IT_BYTES) continue;
  // Monaco's megabytes would take half a minute at the highest level and are loaded by a handful of people.
  const quality = content.length > 1_000_000 ? 9 : 11;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
