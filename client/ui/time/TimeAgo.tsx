import { useEffect, useState } from 'react';
import { messages } from '../../messages/game.js';
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

/** Treats future times as "just now", because clocks can differ. */
function inWords(at: string, now: number): string {
  const passed = now - Date.parse(at);
  if (passed < MINUTE) return messages.time.now;
  if (passed < HOUR) return messages.time.ago(Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return messages.time.ago(Math.floor(passed / HOUR), 'hour');
  if (passed < 7 * DAY) return messages.time.ago(Math.floor(passed / DAY), 'day');
  return formatDate(at);
}
