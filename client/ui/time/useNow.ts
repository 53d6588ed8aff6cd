import { useEffect, useState } from 'react';
import { listen } from '../listen.js';
import { serverNow } from './clock.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The time by the server's clock. It changes every minute, when a UTC day begins, and when the page is shown again. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);

  useEffect(() => {
    const left = DAY - (now % DAY);
    const timer = setTimeout(() => setNow(serverNow()), Math.min(left, MINUTE));
    return () => clearTimeout(timer);
  }, [now]);

  useEffect(() => listen(document, 'visibilitychange', () => setNow(serverNow())), []);

  return now;
}
