import { WINS_FOR_BONUS, noStats } from '../game/scoring.js';
import type { Stats } from '../game/scoring.js';

const PREFIX = 'tic-tac-toe.stats.';

export interface StoredStats {
  readonly stats: Stats;
  /** When the server said so, by this computer's clock. Milliseconds since the epoch. */
  readonly at: number;
}

/** The last stats that the server has told about a player, so that they can be shown without a network. */
export const storedStats = {
  /** Null when nothing is known, or nothing that stats can be. */
  get: (playerId: string): StoredStats | null => {
    try {
      return parseStoredStats(JSON.parse(localStorage.getItem(PREFIX + playerId) ?? 'null'));
    } catch {
      return null;
    }
  },

  set: (playerId: string, stats: Stats): void => {
    try {
      localStorage.setItem(PREFIX + playerId, JSON.stringify({ ...onlyStats(stats), at: Date.now() }));
    } catch {
      // A full storage costs no more than being remembered.
    }
  },

  /** Whether this key of the storage is where this player's are. */
  isKeyOf: (playerId: string, key: string | null): boolean => key === PREFIX + playerId,

  /** Everybody's: to be called when a session ends. */
  clear: (): void => {
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
    } catch {
      // Where storage is blocked nothing was stored.
    }
  },
};

const NAMES = Object.keys(noStats) as (keyof Stats)[];

function onlyStats(from: Stats): Stats {
  return Object.fromEntries(NAMES.map((name) => [name, from[name]])) as unknown as Stats;
}

/** Storage may hold anything: another version's, or what somebody has typed there. */
function parseStoredStats(value: unknown): StoredStats | null {
  const stored = value as (Stats & { at: number }) | null;
  if (typeof stored !== 'object' || !stored) return null;
  const { at, score, winStreak } = stored;
  const counts = NAMES.filter((name) => name !== 'score').map((name) => stored[name]);
  const isGood =
    [score, ...counts, at].every(Number.isSafeInteger) &&
    [...counts, at].every((count) => count >= 0) &&
    winStreak < WINS_FOR_BONUS &&
    // A date that no calendar knows cannot be shown.
    !Number.isNaN(new Date(at).getTime());
  return isGood ? { stats: onlyStats(stored), at } : null;
}
