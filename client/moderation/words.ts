import { formatDateTime } from '../ui/time/formatTime.js';

/** "24 Nov 2026, 07:55 GMT+1": moderators in other time zones read the same page. */
export const formatEnd = (at: string) => `${formatDateTime(at)} ${zoneAt(at)}`;

/** "GMT+1", which is another one in summer. */
export function zoneAt(at: string | number): string | undefined {
  return new Date(at).toLocaleTimeString('en-GB', { timeZoneName: 'short' }).split(' ').pop();
}

/** The end of a ban in a sentence of the server, which has it in UTC, as the page has it elsewhere. */
export const withLocalEnd = (said: string) =>
  said.replace(/(?<= is banned until )(\S+) (\S+) UTC/, (_, day: string, time: string) => formatEnd(`${day}T${time}Z`));

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
export function wordsOfChange({ before, after }: Record<'before' | 'after', string | null>): string {
  const [old, now] = [before, after].map((json) => JSON.parse(json ?? '{}') as Record<string, unknown>);
  const changes = Object.keys({ ...old, ...now }).map((key) => {
    const [was, is] = [textOf(old?.[key]), textOf(now?.[key])];
    return was !== is && `${inWords(key)}: ${was && is ? `${was} → ${is}` : was + is}`;
  });
  return changes.filter(Boolean).join(', ');
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? formatEnd(value) : value;
  return typeof value === 'number' ? String(value) : '';
}
