import { z } from 'zod';
import { pickStats, type Stats } from '../../game/scoring.js';

const count = z.int().min(0);

/** The field names of the REST contract. */
export const restStats = z
  .object({
    score: z.int(),
    win_streak: count,
    wins: count,
    losses: count,
    draws: count,
    easyWins: count,
    mediumWins: count,
    hardWins: count,
  })
  .meta({
    id: 'Stats',
    examples: [
      {
        ...{ score: 12, win_streak: 2, wins: 14, losses: 4, draws: 6 },
        ...{ easyWins: 10, mediumWins: 4, hardWins: 0 },
      },
    ],
  });
export type RestPlayerStats = z.infer<typeof restStats>;

export function toRestStats(stats: Stats): RestPlayerStats {
  const { score, winStreak, ...counts } = pickStats(stats);
  return { score, win_streak: winStreak, ...counts };
}
