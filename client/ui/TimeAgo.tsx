import { useEffect, useState } from 'react';
import { messages } from '../messages/game.js';
import { serverNow } from './clock.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' });

/**
 * Shows "5 minutes ago", "yesterday" or, after a week, a date. It updates every minute.
 * @param clock the clock that `at` was measured by
 */
export function TimeAgo({ at, clock = serverNow }: { at: string; clock?: () => number }) {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), MINUTE);
    return () => clearInterval(timer);
  }, [clock]);
  const then = new Date(at);
  return (
    <time dateTime={at} title={exact.format(then)}>
      {inWords(then, now)}
    </time>
  );
}

/** Treats future times as "just now", because clocks can differ. */
function inWords(then: Date, now: number): string {
  const passed = now - then.getTime();
  if (passed < MINUTE) return messages.justNow;
  if (passed < HOUR) return relative.format(-Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return relative.format(-Math.floor(passed / HOUR), 'hour');
  if (passed < 7 * DAY) return relative.format(-Math.floor(passed / DAY), 'day');
  return date.format(then);
}
