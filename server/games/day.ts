const DAY = 24 * 60 * 60 * 1000;

/** Formats the UTC day as `2026-01-31`. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/**
 * The time from which the player's next verified game counts: the start of the next UTC day, or null when it counts now.
 * `limit` is in games per day; 0 means no limit.
 */
export function nextCountedFrom(now: Date, gamesToday: number, limit: number): Date | null {
  if (limit === 0 || gamesToday < limit) return null;
  return new Date(Date.parse(utcDay(now)) + DAY);
}
