import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import '../testing/browser.js';
import { TimeAgo } from './TimeAgo.js';

const MINUTE = 60_000;

beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-03-20T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

it.each([
  ['2026-03-20T12:00:30Z', 'just now'],
  ['2026-03-20T11:59:30Z', 'just now'],
  ['2026-03-20T11:58:30Z', '1 minute ago'],
  ['2026-03-20T09:10:00Z', '2 hours ago'],
  ['2026-03-19T10:00:00Z', 'yesterday'],
  ['2026-03-15T10:00:00Z', '5 days ago'],
  ['2026-01-02T12:00:00Z', 'Jan 2, 2026'],
])('%s is "%s" at noon on 20 March 2026', (at, words) => {
  render(<TimeAgo at={at} />);
  expect(screen.getByText(words)).toHaveAttribute('datetime', at);
});

it('It keeps up with the clock', () => {
  render(<TimeAgo at="2026-03-20T12:00:00Z" />);
  act(() => jest.advanceTimersByTime(3 * MINUTE));
  expect(screen.getByText('3 minutes ago')).toBeVisible();
});
