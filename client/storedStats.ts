import { STATS_FIELDS, WINS_FOR_BONUS, pickStats } from '../game/scoring.js';
import type { Stats } from '../game/scoring.js';
import { statsKey } from './playerStorage.js';

export interface StoredStats {
  readonly stats: Stats;
  /** When the server sent them, by this computer's clock. Milliseconds since the epoch. */
  readonly at: number;
}

/** The last stats that the server sent for each player, for showing them without a network. */
export const storedStats = {
  /** Returns null when nothing valid is stored. */
  get: (playerId: string): StoredStats | null => {
    try {
      return parseStoredStats(JSON.parse(localStorage.getItem(statsKey(playerId)) ?? 'null'));
    } catch {
      return null;
    }
  },

  set: (playerId: string, stats: Stats): void => {
    try {
      localStorage.setItem(statsKey(playerId), JSON.stringify({ ...pickStats(stats), at: Date.now() }));
    } catch {
      // Without room in the storage, the page works as before.
    }
  },

  /** Whether this player's stats are stored under the key. */
  isKeyOf: (playerId: string, key: string | null): boolean => key === statsKey(playerId),
};

/** Validates the value, because another version or a user can have written it. */
function parseStoredStats(value: unknown): StoredStats | null {
  const stored = value as (Stats & { at: number }) | null;
  if (typeof stored !== 'object' || !stored) return null;
  const { at, score, winStreak } = stored;
  const counts = STATS_FIELDS.filter((name) => name !== 'score').map((name) => stored[name]);
  const isGood =
    [score, ...counts, at].every(Number.isSafeInteger) &&
    [...counts, at].every((count) => count >= 0) &&
    winStreak < WINS_FOR_BONUS &&
    // An invalid date cannot be shown.
    !Number.isNaN(new Date(at).getTime());
  return isGood ? { stats: pickStats(stored), at } : null;
}
