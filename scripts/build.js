/**
 * `npm run build`: always builds server and page, which production needs. `npm run build server`, `client` or `embedded` builds
 * one of them.
 */
import './machine/node-version.js';
import { ensureBuilt, PARTS } from './build/ensure-built.js';

const chosen = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS)).filter((part) => process.argv[2] === part);
await ensureBuilt({ parts: chosen.length > 0 ? chosen : ['server', 'client'], always: true });
