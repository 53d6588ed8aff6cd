/** Adds the descriptions of the API to the built page, and compresses every text file to .br and .gz: the server never does. */
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ROOT } from '../machine/run.js';

const built = join(ROOT, 'dist/client');
const TEXT = /\.(html|js|css|svg|json|graphql|webmanifest|txt|ttf)$/;
/** Compression saves too little in smaller files. */
const MIN_BYTES = 512;

for (const name of ['openapi.json', 'schema.graphql']) copyFileSync(join(ROOT, name), join(built, name));
for (const path of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
  if (!TEXT.test(path)) continue;
  const file = join(built, path);
  const content = readFileSync(file);
  if (content.length < MIN_BYTES) continue;
  // The highest level would take half a minute for Monaco, which only the playground loads.
  const quality = content.length > 1_000_000 ? 9 : 11;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
