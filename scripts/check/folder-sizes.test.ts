import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { crowdedFolders } from './folder-sizes.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tic-tac-toe-folders-'));
});

afterEach(() => rmSync(root, { recursive: true }));

function fill(folder: string, files: number) {
  mkdirSync(join(root, folder), { recursive: true });
  for (let file = 0; file < files; file++) writeFileSync(join(root, folder, `${file}.ts`), '');
}

test('accepts 24 files in each folder', () => {
  fill('server', 24);
  fill('server/web', 24);

  expect(crowdedFolders(['server'], root)).toEqual([]);
});

test('names each folder with more files', () => {
  fill('server', 25);
  fill('server/auth/players', 26);
  fill('client', 25);

  expect(crowdedFolders(['server'], root)).toEqual([
    'server/ has 25 files, at most 24 are allowed.',
    'server/auth/players/ has 26 files, at most 24 are allowed.',
  ]);
});

test('does not count installed packages', () => {
  fill('benchmark/node_modules/pg', 25);

  expect(crowdedFolders(['benchmark'], root)).toEqual([]);
});
