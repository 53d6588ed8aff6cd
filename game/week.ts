const DAY = 24 * 60 * 60 * 1000;

/** The first day of a week, a Monday in UTC, as `2026-01-26`. It names the week. */
export type Week = string;

/** The days since Monday in UTC, 0 to 6. */
function dayOfWeek(time: Date): number {
  return (time.getUTCDay() + 6) % 7;
}

export function weekOf(time: Date): Week {
  const monday = time.getTime() - dayOfWeek(time) * DAY;
  return new Date(monday).toISOString().slice(0, 10);
}

/** Whether the text names a week since the year 2000. */
export function isWeek(text: string): boolean {
  const day = /^2\d{3}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return day !== undefined && !Number.isNaN(day.getTime()) && weekOf(day) === text;
}

export function weekAfter(week: Week): Week {
  return weekOf(new Date(Date.parse(week) + 7 * DAY));
}

export function weekBefore(week: Week): Week {
  return weekOf(new Date(Date.parse(week) - 7 * DAY));
}
