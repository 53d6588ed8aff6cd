/**
 * `npm run restart-drill -- 5000`: restarts two servers behind Caddy, one after the other, under that many requests. None
 * may fail.
 */
import './machine/node-version.js';
import { ensureBuilt } from './build/ensure-built.js';
import { ensureProgram } from './machine/debian.js';
import { ensurePackages } from './machine/install.js';
import { jest } from './test/jest.js';

await ensurePackages();
await ensureProgram('caddy', 'the drill');
await ensureBuilt({ parts: ['server', 'client'] });
process.env.REQUESTS = process.argv[2] ?? '5000';
process.exitCode = (await jest(['--selectProjects', 'drills', '--', 'test/drills/rolling-restart.test.ts'])).code;
