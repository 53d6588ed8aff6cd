import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-file-'));
  cpSync('scripts', join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a process of `npm run ttt` finds in its environment, or says before it ends. */
function settingsWith(content: Buffer | undefined, given: Record<string, string> = {}) {
  rmSync(join(folder, '.env'), { force: true });
  if (content) writeFileSync(join(folder, '.env'), content);
  return read(given);
}

function read(given: Record<string, string> = {}) {
  const program = ['--import', './scripts/machine/env-file.js', '-p', 'process.env.FIRST + " " + process.env.SECOND'];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: folder,
    env: given,
    encoding: 'utf8',
  });
  return [status, stdout.trim() || stderr.trim()];
}

const SETTINGS = 'FIRST=eins\nSECOND="zwei # ü"\n';
const utf16 = Buffer.from(`\uFEFF${SETTINGS}`, 'utf16le');

test.each([
  ['in UTF-8', Buffer.from(SETTINGS), {}, 'eins zwei # ü'],
  ['with a byte-order mark', Buffer.from(`\uFEFF${SETTINGS}`), {}, 'eins zwei # ü'],
  [
    'with a byte-order mark and lines of Windows',
    Buffer.from(`\uFEFF${SETTINGS.replaceAll('\n', '\r\n')}`),
    {},
    'eins zwei # ü',
  ],
  ['behind a variable of the environment', Buffer.from(`\uFEFF${SETTINGS}`), { FIRST: 'one' }, 'one zwei # ü'],
  ['that does not exist', undefined, {}, 'undefined undefined'],
])('settings are read from a .env %s', (_, content, given, settings) => {
  expect(settingsWith(content, given)).toEqual([0, settings]);
});

test.each([
  ['UTF-16, as Windows writes it', utf16, 'UTF-16'],
  ['UTF-16 without a byte-order mark', utf16.subarray(2), 'UTF-16'],
  ['UTF-16 in the other order', Buffer.from(utf16).swap16(), 'UTF-16'],
  ['Latin-1', Buffer.from(SETTINGS, 'latin1'), 'another encoding'],
])('a .env in %s ends the start with a sentence that names the file and its encoding', (_, content, encoding) => {
  expect(settingsWith(content)).toEqual([1, `${join(folder, '.env')} is in ${encoding}: save it in UTF-8.`]);
});

test('a .env that cannot be read ends the start with a sentence', () => {
  settingsWith(undefined);
  mkdirSync(join(folder, '.env'));
  expect(read()).toEqual([1, `${join(folder, '.env')} cannot be read (EISDIR).`]);
});
