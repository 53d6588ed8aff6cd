import { weekAfter } from '../../../game/week.js';

/** 2:00 AM or 02:00, by the browser's language, in the player's time zone. */
export function formatTime(at: string | number): string {
  return new Date(at).toLocaleTimeString([], { timeStyle: 'short' });
}

/** Whether the time is midnight in the player's time zone. */
export function isMidnight(at: string): boolean {
  const date = new Date(at);
  return date.getHours() === 0 && date.getMinutes() === 0;
}

/** "Monday, November 16, 2026 at 1:00 PM", in the player's time zone. */
export function formatExactly(at: string | number): string {
  return new Date(at).toLocaleString('en', { dateStyle: 'full', timeStyle: 'short' });
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "Monday 13:00" by the browser's language, and the same with the date, in the player's time zone. */
export function endOf(time: number): { text: string; exact: string } {
  const day = new Date(time).toLocaleString('en', { weekday: 'long' });
  return { text: `${day} ${formatTime(time)}`, exact: formatExactly(time) };
}

/** "in 2 days", "in 5 hours" or "in 1 minute". */
export function timeLeft(ms: number): string {
  if (ms >= DAY) return inUnits(Math.floor(ms / DAY), 'day');
  if (ms >= HOUR) return inUnits(Math.floor(ms / HOUR), 'hour');
  return inUnits(Math.max(1, Math.ceil(ms / MINUTE)), 'minute');
}

const inUnits = (count: number, unit: string) => `in ${count} ${unit}${count === 1 ? '' : 's'}`;

/** "November 16 – 22": the days of a week in UTC. */
export function daysOf(week: string): string {
  const dates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return dates.formatRange(Date.parse(week), Date.parse(weekAfter(week)) - 1);
}
