/** Lints openapi.json with Redocly's recommended rules. A step of `npm run check`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { ROOT } from '../machine/run.js';

const config = await createConfig({ extends: ['recommended'] });
const source = readFileSync(join(ROOT, 'openapi.json'), 'utf8');
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
for (const { message, ruleId, location } of problems) console.log(`${ruleId}: ${message} (${location[0]?.pointer})`);
process.exitCode = problems.length > 0 ? 1 : 0;
