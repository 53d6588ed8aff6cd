import { i18n } from '@lingui/core';
import { weekAfter } from '../../../game/week.js';
import { DAY, HOUR, MINUTE } from './clock.js';

// English is British in every browser: 24 Nov 2026, 13:00. The time zone is the player's, and so are the hours of the clock.

/** English without Intl, which the first paint would wait for. */
export function formatDate(at: string | number): string {
  const date = new Date(at);
  if (i18n.locale !== 'en-GB') return date.toLocaleDateString(i18n.locales, { dateStyle: 'medium' });
  const [, month, day, year] = date.toDateString().split(' ');
  return `${Number(day)} ${month} ${year}`;
}

/** "24 Nov": a UTC day, whose date is the same everywhere. */
export function formatDay(day: string): string {
  if (i18n.locale === 'en-GB') return formatDate(`${day}T12:00`).replace(/ \d+$/, '');
  return new Date(day).toLocaleDateString(i18n.locales, { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** Whether a language has 12 or 24 hours. Browsers name some that Intl refuses, such as "C" or "en-US@posix". */
function hoursIn(language: string) {
  try {
    const [locale] = language.replace('_', '-').split(/[.@]/);
    return new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hourCycle;
  } catch {
    return undefined;
  }
}

/** "13:00" or "1:00 pm", and "13:00:30" where seconds matter. */
export function formatTime(at: string | number, withSeconds = false): string {
  const time = new Date(at).toLocaleTimeString(i18n.locales, {
    hourCycle: hoursIn(navigator.language),
    timeStyle: withSeconds ? 'medium' : 'short',
  });
  return time.replace(/^0(.*m)$/, '$1');
}

export function formatDateTime(at: string | number, withSeconds = false): string {
  return `${formatDate(at)}, ${formatTime(at, withSeconds)}`;
}

export function formatDayTime(at: number): string {
  return `${new Date(at).toLocaleDateString(i18n.locales, { weekday: 'long' })} ${formatTime(at)}`;
}

/** "in 2 days", "in 5 hours" or "in 1 minute". */
export function timeLeft(ms: number): string {
  if (ms >= DAY) return inUnits(Math.floor(ms / DAY), 'day');
  if (ms >= HOUR) return inUnits(Math.floor(ms / HOUR), 'hour');
  return inUnits(Math.max(1, Math.ceil(ms / MINUTE)), 'minute');
}

const inUnits = (count: number, unit: 'day' | 'hour' | 'minute') =>
  new Intl.RelativeTimeFormat(i18n.locales).format(count, unit);

/** "16–22 November": the days of a week in UTC. */
export function daysOf(week: string): string {
  const dates = new Intl.DateTimeFormat(i18n.locales, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return dates.formatRange(Date.parse(week), Date.parse(weekAfter(week)) - 1);
}
