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
