const DAY = 24 * 60 * 60 * 1000;

/** As `2026-01-31`. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/**
 * When the player's next verified game counts: the beginning of the next UTC day, or null where that is now.
 * `limit` is in games a day; 0 is no limit.
 */
export function nextCountedFrom(now: Date, gamesToday: number, limit: number): Date | null {
  if (limit === 0 || gamesToday < limit) return null;
  return new Date(Date.parse(utcDay(now)) + DAY);
}
