import { useEffect, useState } from 'react';
import { weekAfter, weekOf } from '../../../game/week.js';
import { listen } from '../../ui/listen.js';
import { serverNow } from '../../ui/time/clock.js';

const MINUTE = 60_000;

/** The time by the server's clock. It changes every minute, when a week begins, and when the page is shown again. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);

  useEffect(() => {
    const left = Date.parse(weekAfter(weekOf(new Date(now)))) - now;
    const timer = setTimeout(() => setNow(serverNow()), Math.min(left, MINUTE));
    return () => clearTimeout(timer);
  }, [now]);

  useEffect(() => listen(document, 'visibilitychange', () => setNow(serverNow())), []);

  return now;
}
