import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('the page stays within its size budgets', () => {
  const { stdout } = spawnSync(process.execPath, ['node_modules/size-limit/bin.js', '--json'], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ name: 'login screen', passed: true, sizeLimit: 76_000 }),
    expect.objectContaining({ name: 'game at first paint', passed: true, sizeLimit: 146_000 }),
    expect.objectContaining({ name: 'whole game', passed: true, sizeLimit: 170_000 }),
  ]);
});
