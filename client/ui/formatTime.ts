/** 2:00 AM or 02:00, whichever the browser's language writes. In the player's time zone. */
export function formatTime(at: string | number): string {
  return new Date(at).toLocaleTimeString([], { timeStyle: 'short' });
}
