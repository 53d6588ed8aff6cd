import { z } from 'zod';
import { pickStats, type Stats } from '../../../game/scoring.js';
import type { SignedInPlayer } from '../../auth/sessions/signed-in.js';
import { CodedException } from '../../web/answers/codes.js';

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

const OWN = 'userId must be the id of the signed-in player, as GET /api/me tells it';

export const userId = z.uuid({
  error: ({ input }) => (input === undefined ? `userId is missing. ${OWN}` : `userId is no id of a player. ${OWN}`),
});

/** Ignores unknown keys: some clients add one to bypass caches. */
export const statsQuery = z.object({ userId });

/** @throws {CodedException} when the id is another player's */
export function requireOwnUserId(player: SignedInPlayer, userId: string): void {
  if (userId.toLowerCase() !== player.playerId) {
    const error = 'userId must be the id of the signed-in player: this one belongs to somebody else';
    throw new CodedException('other_player', error);
  }
}
