import { weekAfter } from '../../../game/week.js';
import { counted } from '../../messages/counted.js';
import { messages } from '../../messages/game.js';
import { DAY, HOUR, MINUTE } from './clock.js';

// British on every page and in every browser: 24 Nov 2026, 13:00. The time zone is the player's, and so are the hours of the clock.

export function formatDate(at: string | number): string {
  return messages.time.date(new Date(at));
}

/** "24 Nov": a UTC day, whose date is the same everywhere. */
export const formatDay = (day: string): string => formatDate(`${day}T12:00`).replace(/ \d+$/, '');

/** "13:00" or "1:00 pm", and "13:00:30" where seconds matter. */
export function formatTime(at: string | number, withSeconds = false): string {
  const { hourCycle } = new Intl.DateTimeFormat(navigator.language, { hour: 'numeric' }).resolvedOptions();
  const time = new Date(at).toLocaleTimeString('en-GB', { hourCycle, timeStyle: withSeconds ? 'medium' : 'short' });
  return time.replace(/^0(.*m)$/, '$1');
}

export function formatDateTime(at: string | number, withSeconds = false): string {
  return `${formatDate(at)}, ${formatTime(at, withSeconds)}`;
}

export function formatDayTime(at: number): string {
  return `${new Date(at).toLocaleDateString('en-GB', { weekday: 'long' })} ${formatTime(at)}`;
}

/** "in 2 days", "in 5 hours" or "in 1 minute". */
export function timeLeft(ms: number): string {
  if (ms >= DAY) return inUnits(Math.floor(ms / DAY), 'day');
  if (ms >= HOUR) return inUnits(Math.floor(ms / HOUR), 'hour');
  return inUnits(Math.max(1, Math.ceil(ms / MINUTE)), 'minute');
}

const inUnits = (count: number, unit: string) => `in ${counted(count, unit)}`;

/** "16–22 November": the days of a week in UTC. */
export function daysOf(week: string): string {
  const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return dates.formatRange(Date.parse(week), Date.parse(weekAfter(week)) - 1);
}
