import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('the page weighs no more than a slow phone can afford', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/budget.js', 'dist/client'], { encoding: 'utf8' });
  expect(stdout).toMatch(/^ok .*login screen.*\nok .*whole game.*\n$/);
  expect(status).toBe(0);
});
