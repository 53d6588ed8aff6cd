import { STATS_FIELDS, WINS_FOR_BONUS, pickStats, type Stats } from '../game/scoring.js';
import { statsKey } from './playerStorage.js';
import { fromJson, stored as browser } from './ui/stored.js';

export interface StoredStats {
  readonly stats: Stats;
  /** When the server sent them, by this computer's clock. Milliseconds since the epoch. */
  readonly at: number;
}

/** The last stats that the server sent for each player, for showing them without a network. */
export const storedStats = {
  /** Returns null when nothing valid is stored. */
  get: (playerId: string): StoredStats | null => parseStoredStats(browser.get(statsKey(playerId))),

  set: (playerId: string, stats: Stats): void =>
    browser.set(statsKey(playerId), JSON.stringify({ ...pickStats(stats), at: Date.now() })),

  /** Returns the stats that another tab has stored for this player; null for all other events. */
  fromEvent: (playerId: string, { key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): StoredStats | null =>
    key === statsKey(playerId) ? parseStoredStats(newValue) : null,
};

/** Validates the value, because another version or a user can have written it. */
function parseStoredStats(text: string | null): StoredStats | null {
  const stored = fromJson(text) as (Stats & { at: number }) | null;
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
