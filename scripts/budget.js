/** `npm run budget`: compares the JavaScript of the built page with the budgets in .size-limit.js. */
import './machine/node-version.js';
import { ensureBuilt } from './build/ensure-built.js';
import { ensurePackages } from './machine/install.js';
import { attempt } from './machine/run.js';

await ensurePackages();
await ensureBuilt({ parts: ['client'] });
const { code } = await attempt(process.execPath, ['node_modules/size-limit/bin.js', ...process.argv.slice(2)]);
process.exitCode = code;
