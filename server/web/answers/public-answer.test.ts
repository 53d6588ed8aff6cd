import { expect, test } from '@jest/globals';
import { linkToNext, publicAnswer } from './public-answer.js';

test('pages with the same entries and different links have different entity tags', () => {
  const linkOf = (week: string) => linkToNext('https://game.example/api/leaderboard', { limit: 1, week });
  const [one, same, other] = ['2026-11-16', '2026-11-16', '2026-11-23'].map((week) =>
    publicAnswer([{ name: 'Ada' }], linkOf(week)),
  );
  expect(one).toEqual(same);
  expect(other!.body).toBe(one!.body);
  expect(other!.etag).not.toBe(one!.etag);
});
