/** The result that a link dares to beat. Anybody can have written it. */
export interface Dare {
  readonly playerId: string;
  /** The UTC day, as `2026-01-31`. */
  readonly day: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The end of a link: sixteen bytes of the player and two of the day, counted from 1970, in 24 letters of base64url. */
export function dareCode({ playerId, day }: Dare): string {
  const days = Date.parse(day) / DAY_MS;
  return codeOf(playerId + days.toString(16).padStart(4, '0'));
}

/**
 * What stands behind the 24 letters belongs to the sentence around the link. With a 25th it is another link.
 * @returns null where they are no code
 */
export function readDare(text: string): Dare | null {
  const hex = hexOf(/^[\w-]{24}(?![\w-])/.exec(text));
  if (hex === null) return null;
  return { playerId: idOf(hex), day: new Date(parseInt(hex.slice(32), 16) * DAY_MS).toISOString().slice(0, 10) };
}

/** The end of the link to a player's page: the sixteen bytes of the id in 22 letters of base64url. */
export const pageCode = codeOf;

/** The id of the player, read as `readDare` reads its link. The last letter has two bits. */
export function readPage(text: string): string | null {
  const hex = hexOf(/^[\w-]{21}[AQgw](?![\w-])/.exec(text));
  return hex && idOf(hex);
}

function codeOf(hex: string): string {
  const bytes = hex.replaceAll('-', '').replace(/../g, (byte) => String.fromCharCode(parseInt(byte, 16)));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function hexOf(found: readonly string[] | null): string | null {
  const [code] = found ?? [];
  if (code === undefined) return null;
  const bytes = [...atob(code.replaceAll('-', '+').replaceAll('_', '/'))];
  return bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

const idOf = (hex: string) => hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
