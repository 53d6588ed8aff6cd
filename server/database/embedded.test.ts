import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyPrepared } from './embedded.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-prepared-'));
  write('prepared/PG_VERSION', '18');
  write('prepared/base/1', 'prepared');
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (path: string) => join(folder, path);
function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

test('replaces the rest of an interrupted copy', () => {
  write('database.new/base/2', 'half of a copy');
  copyPrepared(at('database'), at('prepared'));
  expect(existsSync(at('database/base/2'))).toBe(false);
  expect(existsSync(at('database.new'))).toBe(false);
  expect(readFileSync(at('database/PG_VERSION'), 'utf8')).toBe('18');
});

test('leaves the creation to the database when the build has prepared none', () => {
  copyPrepared(at('database'), at('missing'));
  expect(existsSync(at('database'))).toBe(false);
});

test('says which folders it cannot copy', () => {
  // Nobody can make a folder in a file, not even root.
  write('file', '');
  const copy = () => copyPrepared(at('file/database'), at('prepared'));
  const message = expect.stringMatching(/cannot copy .*prepared to .*database\.new \(ENOTDIR\)\. Give its user/);
  expect(copy).toThrow(expect.objectContaining({ name: 'OperatorError', message }));
});
