const DAY = 24 * 60 * 60 * 1000;
/** The clocks of two servers may differ, so that one of them still plays a day that is over at the other one. */
const PUBLISHED_AFTER = 60 * 1000;

/** Formats the UTC day as `2026-01-31`. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The start of the UTC day after this one. */
export function endOfDay(day: string): Date {
  return new Date(Date.parse(day) + DAY);
}

/** Whether no game of this UTC day begins any more. */
export function hasEnded(day: string, now: Date): boolean {
  return day < utcDay(now);
}

/** Whether seeds and moves of this UTC day may be shown: one minute after its end. */
export function isPublished(day: string, now: Date): boolean {
  return now.getTime() >= endOfDay(day).getTime() + PUBLISHED_AFTER;
}

/**
 * The time from which the player's next verified game counts: the start of the next UTC day, or null when it counts now.
 * `limit` is in games per day; 0 means no limit.
 */
export function nextCountedFrom(now: Date, gamesToday: number, limit: number): Date | null {
  if (limit === 0 || gamesToday < limit) return null;
  return endOfDay(utcDay(now));
}
