let ahead = 0;

/** Milliseconds since the epoch by the server's clock, as far as it is known: a computer's own can be days off. */
export function serverNow(): number {
  return Date.now() - ahead;
}

/** @param date what the server says that it is: the Date header of an answer that has just come, or null without one */
export function setServerTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (!Number.isNaN(time)) ahead = Date.now() - time;
}
