/** 2:00 AM or 02:00, by the browser's language, in the player's time zone. */
export function formatTime(at: string | number): string {
  return new Date(at).toLocaleTimeString([], { timeStyle: 'short' });
}
