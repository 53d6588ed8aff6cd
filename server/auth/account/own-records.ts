import type { EntityManager } from 'typeorm';
import { Identity } from '../identity.entity.js';
import { Player } from '../player.entity.js';
import { Session } from '../session.entity.js';
import { SignInCode } from '../sign-in-code.entity.js';
import { browserName } from './browser-name.js';

/** All that auth itself stores about a player, without what only a machine could use: hashes of codes and challenges. */
export async function ownRecords(playerId: string, transaction: EntityManager) {
  const player = await transaction.getRepository(Player).findOneBy({ id: playerId });
  const identities = await transaction.getRepository(Identity).find({
    where: { playerId },
    order: { createdAt: 'ASC' },
  });
  const sessions = await transaction.getRepository(Session).find({ where: { playerId }, order: { createdAt: 'ASC' } });
  const signIns = await transaction.getRepository(SignInCode).find({
    select: { returnTo: true, createdAt: true, expiresAt: true, spentAt: true, sessionId: true },
    where: { playerId },
    order: { createdAt: 'ASC' },
  });
  return {
    player,
    identities,
    sessions: sessions.map((session) => ({ browser: browserName(session.userAgent), ...session })),
    signIns,
  };
}
