import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Clock } from '../base/clock.js';
import type { LeaderboardCache } from './leaderboard-cache.service.js';
import { LeaderboardPoller } from './leaderboard-poller.service.js';
import { Period } from './leaderboard.type.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('runs one poll at a time when the database takes longer than a second', async () => {
  const answers: (() => void)[] = [];
  const read = () => new Promise<[]>((resolve) => answers.push(() => resolve([])));
  const watched = new LeaderboardPoller({ read } as unknown as LeaderboardCache, new Clock()).watch(Period.all);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(1);
  answers[0]!();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(2);
  await watched.return?.();
});
