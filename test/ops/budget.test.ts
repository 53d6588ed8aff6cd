import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';

const run = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;

test('the page stays within its size budgets', () => {
  expect(JSON.parse(run('node_modules/size-limit/bin.js', '--json'))).toEqual([
    expect.objectContaining({ name: 'login screen', passed: true, sizeLimit: 76_000 }),
    expect.objectContaining({ name: 'game at first paint', passed: true, sizeLimit: 143_000 }),
    expect.objectContaining({ name: 'whole game', passed: true, sizeLimit: 168_000 }),
  ]);
});

test('the list of chunks says what each file holds, to the byte', () => {
  const [login, game, ...later] = chunks();
  // A third file before the game would be one more request, after the answer to the second.
  expect([login!.loads, game!.loads]).toEqual(['login screen', 'game at first paint']);
  expect(new Set(later.map(({ loads }) => loads))).toEqual(new Set(['later']));

  for (const { file, whole, parts } of [login!, game!, ...later]) {
    const code = readFileSync(`dist/client/${file}`);
    expect(whole).toEqual({ gzip: gzipSync(code, { level: 9 }).length, bytes: code.length, name: 'the whole file' });
    expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(code.length);
  }
  const namesIn = (chunk: { parts: { name: string }[] }) => chunk.parts.map(({ name }) => name);
  expect(namesIn(login!)).toEqual(expect.arrayContaining(['react-dom', 'client/auth/screens']));
  expect(namesIn(game!)).toEqual(expect.arrayContaining(['@apollo/client', 'client/ui/board', 'game']));
  expect(later.flatMap(namesIn)).toEqual(expect.arrayContaining(['client/leaderboard', 'client/challenge']));
});

/** Reads the list of `npm run budget -- --chunks`. */
function chunks() {
  return run('scripts/budget.js', '--chunks')
    .trim()
    .split('\n\n')
    .map((text) => {
      const [title = '', ...rows] = text.split('\n');
      const [loads, file] = title.split(': ');
      const [whole, ...parts] = rows.map((row) => {
        const [, gzip, bytes, name] = /^ *([\d,]+) +([\d,]+) {2}(.+)$/.exec(row) ?? [];
        return { gzip: toNumber(gzip), bytes: toNumber(bytes), name: name! };
      });
      return { loads, file, whole, parts };
    });
}

function toNumber(text = '') {
  return Number(text.replaceAll(',', ''));
}
