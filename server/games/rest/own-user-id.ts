import { z } from 'zod';
import type { SignedInPlayer } from '../../auth/sessions/signed-in.js';
import { CodedException } from '../../web/answers/codes.js';

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
