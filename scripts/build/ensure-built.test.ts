import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PARTS } from './ensure-built.js';

test('a change of a file that builds the page builds it again', () => {
  const imports = [...readFileSync('vite.config.ts', 'utf8').matchAll(/from '\.\/(scripts\/[^']+)'/g)];
  expect(imports.length).toBeGreaterThan(2);
  expect(PARTS.client.sources).toEqual(expect.arrayContaining(imports.map(([, file]) => file)));
});
