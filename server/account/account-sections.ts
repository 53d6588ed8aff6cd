import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { playerById } from '../auth/players/find-players.js';
import { identitiesOf } from '../auth/players/identities.js';
import { mergedIdsOf, mergedPlayersOf } from '../auth/players/merged-players.js';
import { browserName } from '../auth/sessions/browser-name.js';
import { Session } from '../auth/sessions/session.entity.js';
import { SignInCode } from '../auth/sign-in/sign-in-code.entity.js';
import { AttemptStore } from '../challenge/attempt-store.js';
import { Clock } from '../base/clock.js';
import { inPages } from '../database/in-pages.js';
import { hasSecretSeed } from '../games/challenge-game-id.js';
import { ArchivedGamesService } from '../games/archived-games.service.js';
import { CountedGames } from '../games/counted-games.js';
import { PlayerStats } from '../counting/tables/player-stats.entity.js';
import { PlayerWeek } from '../counting/tables/player-week.entity.js';
import type { DocumentPart } from './account-document.js';

const VOIDED_GAMES = `
  SELECT id, number, source, difficulty, result, bonus, points, seed, moves, started_at AS "startedAt", finished_at AS "finishedAt"
  FROM voided_games WHERE player_id = ANY ($1) ORDER BY finished_at`;

/**
 * Reads all that is stored about a player, except hashes of codes and challenges. A new table belongs here, in
 * `merge-accounts.ts` and in `delete-account.ts`, unless its foreign key deletes its rows.
 */
@Injectable()
export class AccountSections {
  constructor(
    private readonly games: CountedGames,
    private readonly archivedGames: ArchivedGamesService,
    private readonly challenges: AttemptStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the sections in the transaction that fixes the moment of the export. The pages of a long list are read after
   * it, so such a list must end at that moment.
   */
  async of(playerId: string, transaction: EntityManager): Promise<DocumentPart[]> {
    return [
      { name: 'player', content: await playerById(transaction, playerId) },
      { name: 'identities', content: await identitiesOf(transaction, playerId) },
      { name: 'mergedPlayers', content: await mergedPlayersOf(transaction, playerId) },
      { name: 'sessions', content: sessionsOf(playerId, transaction) },
      { name: 'signIns', content: signInsOf(playerId, transaction) },
      { name: 'games', content: await this.games.pagesOf(playerId, transaction) },
      // The files of the operator have these games; the database has their sums.
      { name: 'archivedGames', content: await this.archivedGames.allOf(playerId, transaction) },
      { name: 'challenges', content: await this.challenges.allOf(playerId, transaction) },
      // Null before the first game.
      { name: 'stats', content: await transaction.getRepository(PlayerStats).findOneBy({ playerId }) },
      {
        name: 'voidedGames',
        content: await this.voidedGamesOf(playerId, transaction),
      },
      {
        name: 'weeks',
        content: await transaction.getRepository(PlayerWeek).find({ where: { playerId }, order: { week: 'ASC' } }),
      },
    ];
  }

  private async voidedGamesOf(playerId: string, transaction: EntityManager): Promise<object[]> {
    const owners = [playerId, ...(await mergedIdsOf(transaction, playerId))];
    const games = await transaction.query<{ id: string; seed: string | null }[]>(VOIDED_GAMES, [owners]);
    const now = this.clock.now();
    return games.map((game) => ({ ...game, seed: hasSecretSeed(game.id, now) ? null : game.seed }));
  }
}

function sessionsOf(playerId: string, { connection }: EntityManager): AsyncIterable<object[]> {
  const sessions = connection.getRepository(Session);
  const order = { createdAt: 'ASC', id: 'ASC' } as const;
  return inPages(async ({ take, skip }) => {
    const page = await sessions.find({ where: { playerId }, order, take, skip });
    return page.map((session) => ({ browser: browserName(session.userAgent), ...session }));
  });
}

function signInsOf(playerId: string, { connection }: EntityManager): AsyncIterable<object[]> {
  const signIns = connection.getRepository(SignInCode);
  return inPages(({ take, skip }) =>
    signIns.find({
      select: { returnTo: true, createdAt: true, expiresAt: true, spentAt: true, sessionId: true },
      where: { playerId },
      order: { createdAt: 'ASC', codeHash: 'ASC' },
      take,
      skip,
    }),
  );
}
