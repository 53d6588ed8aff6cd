import { Identity } from '../identity.entity.js';
import { Player } from '../player.entity.js';
import { Session } from '../session.entity.js';
import { SignInCode } from '../sign-in-code.entity.js';
import { type AccountSection, inPages } from './account-sections.js';
import { browserName } from './browser-name.js';

/** All that auth itself stores about a player, without what only a machine could use: hashes of codes and challenges. */
export const ownSections: readonly AccountSection[] = [
  {
    name: 'player',
    contentFor: (playerId, transaction) => transaction.getRepository(Player).findOneBy({ id: playerId }),
  },
  {
    name: 'identities',
    contentFor: (playerId, transaction) =>
      transaction.getRepository(Identity).find({ where: { playerId }, order: { createdAt: 'ASC' } }),
  },
  {
    name: 'sessions',
    contentFor: (playerId, transaction) =>
      inPages(async ({ take, skip }) => {
        const order = { createdAt: 'ASC', id: 'ASC' } as const;
        const sessions = await transaction.getRepository(Session).find({ where: { playerId }, order, take, skip });
        return sessions.map((session) => ({ browser: browserName(session.userAgent), ...session }));
      }),
  },
  {
    name: 'signIns',
    contentFor: (playerId, transaction) =>
      inPages(({ take, skip }) =>
        transaction.getRepository(SignInCode).find({
          select: { returnTo: true, createdAt: true, expiresAt: true, spentAt: true, sessionId: true },
          where: { playerId },
          order: { createdAt: 'ASC', codeHash: 'ASC' },
          take,
          skip,
        }),
      ),
  },
];
