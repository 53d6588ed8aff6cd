import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { counted } from '../counted.js';
import { DAY, HOUR, MINUTE, serverNow } from './clock.js';
import { formatDate, formatDateTime } from './formatTime.js';

/**
 * Shows "5 minutes ago", "yesterday" or, after a week, a date. It updates every minute, and is drawn without Intl, as
 * `formatNumber` is. The exact time appears under the pointer.
 * @param clock the clock that `at` was measured by
 */
export function TimeAgo({ at, clock = serverNow }: { at: string; clock?: () => number }) {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), MINUTE);
    return () => clearInterval(timer);
  }, [clock]);
  return (
    <time dateTime={at} onPointerEnter={({ currentTarget }) => (currentTarget.title = formatDateTime(at))}>
      {inWords(at, now)}
    </time>
  );
}

/** English without Intl, which the first paint would wait for. */
function ago(count: number, unit: 'minute' | 'hour' | 'day'): string {
  if (i18n.locale !== 'en-GB')
    return new Intl.RelativeTimeFormat(i18n.locales, { numeric: 'auto' }).format(-count, unit);
  return unit === 'day' && count === 1 ? 'yesterday' : `${counted(count, unit)} ago`;
}

/** Treats future times as "just now", because clocks can differ. */
function inWords(at: string, now: number): string {
  const passed = now - Date.parse(at);
  if (passed < MINUTE) return t`just now`;
  if (passed < HOUR) return ago(Math.floor(passed / MINUTE), 'minute');
  // The days of the reader's calendar, one of which can have 25 hours.
  const days = dayOf(now) - dayOf(Date.parse(at));
  if (passed < DAY || days === 0) return ago(Math.floor(passed / HOUR), 'hour');
  return days < 7 ? ago(days, 'day') : formatDate(at);
}

/** The number of the reader's day. */
const dayOf = (time: number) => Math.floor((time - new Date(time).getTimezoneOffset() * MINUTE) / DAY);
