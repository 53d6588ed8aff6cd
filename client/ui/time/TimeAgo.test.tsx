import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { runInThisContext } from 'node:vm';
import { i18n } from '@lingui/core';
import { act, screen } from '@testing-library/react';
import { LANGUAGES } from '../../messages/language.js';
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

// The clocks of Berlin change in the nights to 29 March and 25 October.
it.each([
  ['2026-03-20T12:00+01:00', '2026-03-18T20:00+01:00', 2, 'day'],
  ['2026-03-20T12:00+01:00', '2026-03-14T20:00+01:00', 6, 'day'],
  ['2026-03-20T12:00+01:00', '2026-03-13T20:00+01:00', 7, null],
  ['2026-03-30T00:30+02:00', '2026-03-28T23:30+01:00', 2, 'day'],
  ['2026-03-30T23:30+02:00', '2026-03-29T00:30+01:00', 1, 'day'],
  ['2026-10-25T23:50+01:00', '2026-10-25T00:10+02:00', 24, 'hour'],
  ['2026-10-26T00:10+01:00', '2026-10-24T23:50+02:00', 2, 'day'],
] as const)(
  'at %s, in each language, %s is shown by the calendar of Berlin: %s × %s ago, or a date where the unit is null',
  (now, at, count, unit) => {
    // Jest's own `process` is a copy, which changes no clock.
    const zone = runInThisContext('process.env.TZ') as string | undefined;
    runInThisContext("process.env.TZ = 'Europe/Berlin'");
    try {
      jest.setSystemTime(Date.parse(now));
      for (const locale of Object.keys(LANGUAGES)) {
        i18n.loadAndActivate({ locale, locales: locale, messages: {} });
        const { container, unmount } = render(<TimeAgo at={at} />);
        const words = unit
          ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-count, unit)
          : new Date(at).toLocaleDateString(locale, { dateStyle: 'medium' });
        expect([locale, container.textContent]).toEqual([locale, words]);
        unmount();
      }
    } finally {
      runInThisContext(zone === undefined ? 'delete process.env.TZ' : `process.env.TZ = ${JSON.stringify(zone)}`);
      i18n.activate('en-GB', 'en-GB');
    }
  },
);
