import { useEffect, useState } from 'react';
import { weekAfter, weekOf } from '../../../game/week.js';
import { serverNow } from '../../ui/time/clock.js';

const MINUTE = 60_000;

/** The time by the server's clock. It changes every minute, when a week begins, and when the page is shown again. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);

  useEffect(() => {
    const update = () => setNow(serverNow());
    const left = Date.parse(weekAfter(weekOf(new Date(now)))) - now;
    const timer = setTimeout(update, Math.min(left, MINUTE));
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [now]);

  return now;
}
