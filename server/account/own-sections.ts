import { Identity } from '../auth/players/identity.entity.js';
import { Player } from '../auth/players/player.entity.js';
import { Session } from '../auth/sessions/session.entity.js';
import { SignInCode } from '../auth/sign-in/sign-in-code.entity.js';
import { type AccountSection, inPages } from './account-sections.js';
import { browserName } from '../auth/sessions/browser-name.js';

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
    contentFor: (playerId, transaction) => {
      const sessions = transaction.connection.getRepository(Session);
      return Promise.resolve(
        inPages(async ({ take, skip }) => {
          const order = { createdAt: 'ASC', id: 'ASC' } as const;
          const page = await sessions.find({ where: { playerId }, order, take, skip });
          return page.map((session) => ({ browser: browserName(session.userAgent), ...session }));
        }),
      );
    },
  },
  {
    name: 'signIns',
    contentFor: (playerId, transaction) => {
      const signIns = transaction.connection.getRepository(SignInCode);
      return Promise.resolve(
        inPages(({ take, skip }) =>
          signIns.find({
            select: { returnTo: true, createdAt: true, expiresAt: true, spentAt: true, sessionId: true },
            where: { playerId },
            order: { createdAt: 'ASC', codeHash: 'ASC' },
            take,
            skip,
          }),
        ),
      );
    },
  },
];
