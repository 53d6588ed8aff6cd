/**
 * `npm run budget`: compares the JavaScript of the built page with the budgets in .size-limit.js. `-- --chunks` lists instead
 * what each chunk holds, in the order of loading: what its gzip form would save without a part, and the part's bytes.
 */
import './machine/node-version.js';
import { ensureBuilt } from './build/ensure-built.js';
import { ensurePackages } from './machine/install.js';
import { attempt } from './machine/run.js';

await ensurePackages();
await ensureBuilt({ parts: ['client'] });
if (process.argv.includes('--chunks')) await listChunks();
else {
  const { code } = await attempt(process.execPath, ['node_modules/size-limit/bin.js', ...process.argv.slice(2)]);
  process.exitCode = code;
}

async function listChunks() {
  // As ensureBuilt does, whatever the variable says.
  process.env.NODE_ENV = 'production';
  const { chunksOfPage } = await import('./build/chunks.js');
  for (const { loads, file, bytes, gzip, parts } of await chunksOfPage()) {
    console.log(`\n${loads}: ${file}`);
    for (const part of [{ gzip, bytes, name: 'the whole file' }, ...parts])
      console.log(`${count(part.gzip)} ${count(part.bytes)}  ${part.name}`);
  }
}

function count(/** @type {number} */ bytes) {
  return bytes.toLocaleString('en').padStart(8);
}
