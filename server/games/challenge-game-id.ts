import { createHash } from 'node:crypto';
import { PUBLISHED_AFTER, utcDay } from '../base/clock.js';
import { uuidText } from '../base/uuid.js';

/** Digits of SHA-256 in the id, after the version. */
const HASH_DIGITS = 18;

/**
 * The id of a challenge game: a version 8 UUID with the day, the number of the game, and bits from SHA-256. It is the same
 * on every server, so the game counts once. The player in the hash keeps the games of linked accounts apart.
 */
export function challengeGameId(playerId: string, day: string, game: number): string {
  const hash = createHash('sha256').update(`challenge:${playerId}:${day}:${game}`).digest('hex').slice(0, HASH_DIGITS);
  const digits = `${compact(day)}000${game}8${hash.slice(0, 3)}8${hash.slice(3)}`;
  return uuidText(Buffer.from(digits, 'hex'));
}

/** The day of a challenge game; null for the id of another game. */
export const challengeDayOf = (gameId: string): string | null =>
  /^\d{8}-000\d-8/.test(gameId) ? gameId.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3') : null;

/** Whether the seed of this game is still a secret, because other players may play with it. */
export const hasSecretSeed = (gameId: string, now: Date): boolean =>
  secretDays(now).some((day) => gameId.startsWith(`${day}-000`) && gameId[14] === '8');

/** What the ids of such games look like in SQL. */
export const secretGames = (now: Date): string[] => secretDays(now).map((day) => `${day}-000_-8%`);

/** Today, and the day before or after it for a minute. */
const secretDays = (now: Date): string[] =>
  [-PUBLISHED_AFTER, PUBLISHED_AFTER].map((ms) => compact(utcDay(new Date(now.getTime() + ms))));

function compact(day: string): string {
  return day.replaceAll('-', '');
}
