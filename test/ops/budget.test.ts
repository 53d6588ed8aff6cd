import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('the page stays within its size budgets, and the game comes in two files', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/budget.js'], { encoding: 'utf8' });

  expect(stdout).toMatch(/^✓ login screen: \d+ of \d+ bytes in 1 files$/m);
  // A third file before the game would be one more request, after the answer to the second.
  expect(stdout).toMatch(/^✓ game at first paint: \d+ of \d+ bytes in 2 files$/m);
  expect(stdout).toMatch(/^✓ whole game: \d+ of \d+ bytes in \d+ files$/m);
  expect(status).toBe(0);
});
