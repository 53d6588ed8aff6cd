import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import '../../testing/browser.js';
import { setServerTime } from './clock.js';
import { TimeAgo } from './TimeAgo.js';
import { render } from '../../testing/render.js';

const MINUTE = 60_000;

beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-03-20T12:00:00Z') }));
afterEach(() => {
  setServerTime(new Date().toUTCString());
  jest.useRealTimers();
});

it.each([
  ['2026-03-20T12:00:30Z', 'just now'],
  ['2026-03-20T11:59:30Z', 'just now'],
  ['2026-03-20T11:58:30Z', '1 minute ago'],
  ['2026-03-20T09:10:00Z', '2 hours ago'],
  ['2026-03-19T12:00:00Z', 'yesterday'],
])('%s is "%s" at noon on 20 March 2026', (at, words) => {
  render(<TimeAgo at={at} />);
  expect(screen.getByText(words)).toHaveAttribute('datetime', at);
});

it('updates every minute', () => {
  render(<TimeAgo at="2026-03-20T12:00:00Z" />);
  act(() => jest.advanceTimersByTime(3 * MINUTE));
  expect(screen.getByText('3 minutes ago')).toBeVisible();
});

it.each([null, '', 'no date'])('ignores the Date header %j', (date) => {
  setServerTime(date);
  render(<TimeAgo at="2026-03-20T11:58:30Z" />);
  expect(screen.getByText('1 minute ago')).toBeVisible();
});

it('measures a local time by the local clock', () => {
  setServerTime('Thu, 19 Mar 2026 12:00:00 GMT');
  render(<TimeAgo at="2026-03-20T11:58:30Z" clock={Date.now} />);
  expect(screen.getByText('1 minute ago')).toBeVisible();
});
