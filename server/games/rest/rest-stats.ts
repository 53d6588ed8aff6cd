import { z } from 'zod';
import { pickStats, type Stats } from '../../../game/scoring.js';
import type { SignedInPlayer } from '../../auth/sessions/signed-in.js';
import { CodedException } from '../../web/answers/codes.js';

export type RestPlayerStats = ReturnType<typeof toRestStats>;

/** The field names of the REST contract. */
export function toRestStats(stats: Stats) {
  const { score, winStreak, ...counts } = pickStats(stats);
  return { score, win_streak: winStreak, ...counts };
}

export const userId = z.uuid({ error: 'userId must be the id of the signed-in player' });

/** Ignores unknown keys: some clients add one to bypass caches. */
export const statsQuery = z.object({ userId });

/** @throws {CodedException} when the id is another player's */
export function requireOwnUserId(player: SignedInPlayer, userId: string): void {
  if (userId.toLowerCase() !== player.playerId) {
    const error = 'userId must be the id of the signed-in player: this one belongs to somebody else';
    throw new CodedException('other_player', error);
  }
}
