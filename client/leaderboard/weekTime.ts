import { weekAfter } from '../../game/week.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "Monday 13:00" by the browser's language, and the same with the date, in the player's time zone. */
export function endOf(time: number): { text: string; exact: string } {
  const day = new Intl.DateTimeFormat('en', { weekday: 'long' });
  const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' });
  const hour = new Date(time).toLocaleTimeString([], { timeStyle: 'short' });
  return { text: `${day.format(time)} ${hour}`, exact: exact.format(time) };
}

/** "in 2 days", "in 5 hours" or "in 1 minute". */
export function timeLeft(ms: number): string {
  const relative = new Intl.RelativeTimeFormat('en');
  if (ms >= DAY) return relative.format(Math.floor(ms / DAY), 'day');
  if (ms >= HOUR) return relative.format(Math.floor(ms / HOUR), 'hour');
  return relative.format(Math.max(1, Math.ceil(ms / MINUTE)), 'minute');
}

/** "November 16 – 22": the days of a week in UTC. */
export function daysOf(week: string): string {
  const dates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return dates.formatRange(Date.parse(week), Date.parse(weekAfter(week)) - 1);
}
