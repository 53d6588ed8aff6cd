/** "Nov 24, 2026", with `short` also the time, in the moderator's time zone. */
export function formatDate(at: string, timeStyle?: 'short'): string {
  return new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle });
}

/** "restoreName" and "player.restore-name" are "Restore name". */
export function inWords(name: string): string {
  const words = name
    .replace('player.', '')
    .replaceAll(/[.-]|(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The first part of an id is enough for people. */
export const shortIds = (text: string) => text.replaceAll(/\b([0-9a-f]{8})-[0-9a-f-]{27}\b/g, '$1…');

/** What a decision has changed, from the JSON of the audit. Parts that are no single value are left out. */
export function wordsOfChange({ before, after, target }: Record<'before' | 'after' | 'target', string | null>): string {
  const [old, now] = [before, after].map((json) => JSON.parse(json ?? '{}') as Record<string, unknown>);
  const changes = Object.keys({ ...old, ...now }).map((key) => {
    const [was, is] = [textOf(old?.[key]), textOf(now?.[key])];
    return was !== is && `${inWords(key)}: ${was && is ? `${was} → ${is}` : was + is}`;
  });
  return [...changes, target && `Game: ${target}`].filter(Boolean).join(', ');
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? formatDate(value, 'short') : value;
  return typeof value === 'number' ? String(value) : '';
}
