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
