const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
const format = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit', hourCycle });

/** 2:00 AM or 02:00, whichever the browser's language writes. In the player's time zone. */
export function formatTime(time: Date): string {
  return format.format(time);
}
