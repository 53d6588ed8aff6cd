/** The budgets of the built page, in JavaScript as it is sent: what a slow phone can afford (`npm run budget`). */
import { readFileSync } from 'node:fs';
import { firstPaintFiles, gameFiles, loginFiles } from './scripts/build/page-files.js';

const built = 'dist/client';
const manifest = JSON.parse(readFileSync(`${built}/.vite/manifest.json`, 'utf8'));
const inBuilt = (/** @type {string[]} */ files) => files.map((file) => `${built}/${file}`);

export default [
  { name: 'login screen', path: inBuilt(loginFiles(manifest)), limit: '76 kB', gzip: true },
  { name: 'game at first paint', path: inBuilt(firstPaintFiles(manifest)), limit: '143 kB', gzip: true },
  { name: 'whole game', path: inBuilt(gameFiles(manifest)), limit: '168 kB', gzip: true },
];
