import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { packagesAreInstalled } from './install.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tic-tac-toe-install-'));
  write('package-lock.json', { packages: { '': {}, ...PACKAGES } });
  write('node_modules/.package-lock.json', { packages: { 'node_modules/pg': PACKAGES['node_modules/pg'] } });
  write('node_modules/pg/package.json', {});
});

afterEach(() => rmSync(root, { recursive: true }));

const PACKAGES = {
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/for-another-machine': { version: '1.0.0', optional: true, os: ['another'] },
};

function write(path: string, content: unknown) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
}

test('accepts a complete installation for this machine', () => {
  expect(packagesAreInstalled(root)).toBe(true);
});

test('detects a fresh clone', () => {
  rmSync(join(root, 'node_modules'), { recursive: true });

  expect(packagesAreInstalled(root)).toBe(false);
});

test('detects an interrupted installation', () => {
  rmSync(join(root, 'node_modules/.package-lock.json'));

  expect(packagesAreInstalled(root)).toBe(false);
});

test('detects a changed lock file', () => {
  write('package-lock.json', { packages: { '': {}, 'node_modules/pg': { version: '8.0.1' } } });

  expect(packagesAreInstalled(root)).toBe(false);
});

test('detects an installation without development packages', () => {
  write('package-lock.json', {
    packages: { '': {}, ...PACKAGES, 'node_modules/vite': { version: '8.0.0', dev: true } },
  });

  expect(packagesAreInstalled(root)).toBe(false);
});

test('detects a deleted package folder', () => {
  rmSync(join(root, 'node_modules/pg'), { recursive: true });

  expect(packagesAreInstalled(root)).toBe(false);
});

test('detects packages for another platform', () => {
  write('node_modules/for-another-machine/package.json', {});
  write('node_modules/.package-lock.json', { packages: PACKAGES });

  expect(packagesAreInstalled(root)).toBe(false);
});
