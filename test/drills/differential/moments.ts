import type { Random } from './random.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const DAYS = 44;

/** The 27th of the third month before this one: all games are in earlier months, and two of them can be archived. */
export function startOf(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3, 27, 10));
}

/** The times at which players play: 44 days with two ends of a month, in steps of seconds or hours, often just around midnight. */
export function momentsFrom(start: Date, count: number, random: Random): Date[] {
  const times = new Set<number>();
  const first = start.getTime();
  for (let at = 0; at < count; at++) {
    const time = first + Math.floor(((at + random.next()) / count) * DAYS * DAY);
    times.add(time);
    if (random.chance(0.2)) times.add(time + random.between(5, 90) * SECOND);
  }
  for (let day = 1; day < DAYS; day++) {
    const midnight = Math.ceil(first / DAY) * DAY + (day - 1) * DAY;
    if (random.chance(0.5)) times.add(midnight - 1).add(midnight);
  }
  return [...times].sort((one, other) => one - other).map((time) => new Date(time));
}
