/**
 * `npm run restart-drill -- 5000`: restarts two servers behind HAProxy, one after the other, under that many requests. None
 * may fail.
 */
import './node-version.js';
import { ensureBuilt } from './build.js';
import { ensureHaproxy } from './haproxy.js';
import { ensurePackages } from './install.js';
import { jest } from './jest.js';

await ensurePackages();
await ensureHaproxy();
await ensureBuilt({ parts: ['server', 'client'] });
process.env.REQUESTS = process.argv[2] ?? '5000';
process.exitCode = (await jest(['--selectProjects', 'drills', '--', 'test/drills/rolling-restart.test.ts'])).code;
