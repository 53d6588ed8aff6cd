import { useEffect, useState } from 'react';
import { listen } from '../listen.js';

let offset = 0;

/** Milliseconds since the epoch by the server's clock, because the computer's clock can be wrong. */
export function serverNow(): number {
  return Date.now() - offset;
}

/** @param date the Date header of a new answer, or null */
export function setServerTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (!Number.isNaN(time)) offset = Date.now() - time;
}

/** After this time the page gives up to load what it can do without. */
export const LOADING_LIMIT_MS = 3000;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

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
