import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, FindOptionsWhere, MoreThan } from 'typeorm';
import { playerById } from '../auth/players/players.repository.js';
import { identitiesOf } from '../auth/players/identities.repository.js';
import { browserName } from '../auth/sessions/session.type.js';
import { type ActingPlayer, Session } from '../auth/sessions/session.entity.js';
import { ProvidersService } from '../auth/sign-in/providers.service.js';
import { SignInCode } from '../auth/sign-in/sign-in-codes.service.js';
import { attemptsOf } from '../challenge/challenge-play.service.js';
import { Clock } from '../base/clock.js';
import { inPages } from '../database/in-pages.js';
import { HistoryService } from '../games/history.service.js';
import { networksOf } from '../limits/network.js';
import { PlayerStats, PlayerWeek } from '../stats/player-stats.entity.js';
import { decisionsAbout } from './audit.repository.js';
import { accountRefusal } from './refusals.js';

/** Each export keeps a page of rows in memory. A slow reader holds its place for minutes, so no network gets all of them. */
const AT_ONCE = { all: 5, ofNetwork: 3 };

/** Exports all that is stored about a player, except hashes of codes and challenges, and who decided what is in the audit. */
@Injectable()
export class AccountExportsService {
  /** The players whose exports this process is writing, with their widest network. */
  private readonly underWay = new Map<string, string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly games: HistoryService,
    private readonly clock: Clock,
    private readonly providers: ProvidersService,
  ) {}

  /**
   * Hands a JSON document to `send`, piece by piece. It shows one moment, so that the stats match the games. It holds no
   * database connection while it waits for the client.
   * @throws {Refusal} 429 while this player, or too many players, have another export under way
   */
  async write<T>(player: ActingPlayer, send: (pieces: AsyncIterable<string>) => Promise<T>): Promise<T> {
    const { playerId, request } = player;
    this.admit(playerId, networksOf(request.address).at(-1)!.key);
    try {
      return await send(documentText(await this.contentOf(playerId)));
    } finally {
      this.underWay.delete(playerId);
    }
  }

  /**
   * The transaction fixes the moment of the export. The pages of a long list are read after it, so such a list must end at
   * that moment. A new table belongs here and in `deleteAccount`, unless its foreign key deletes its rows.
   */
  private contentOf(playerId: string): Promise<object> {
    return this.dataSource.transaction('REPEATABLE READ', async (transaction) => ({
      exportedAt: this.clock.now(),
      player: await playerById(transaction, playerId),
      identities: (await identitiesOf(transaction, playerId)).map((of) => ({ ...of, ...this.providers.at(of.issuer) })),
      sessions: await sessionsOf(transaction, playerId),
      signIns: signInsOf(transaction, playerId),
      games: await this.games.allOf(playerId, transaction),
      challenges: await attemptsOf(transaction, playerId),
      // Null before the first game.
      stats: await transaction.getRepository(PlayerStats).findOneBy({ playerId }),
      voidedGames: await this.games.voidedOf(playerId, transaction),
      weeks: await transaction.getRepository(PlayerWeek).find({ where: { playerId }, order: { week: 'ASC' } }),
      decisions: await decisionsAbout(transaction, playerId),
    }));
  }

  private admit(playerId: string, network: string): void {
    if (this.underWay.has(playerId)) throw accountRefusal('export_under_way');
    const ofNetwork = [...this.underWay.values()].filter((other) => other === network).length;
    if (this.underWay.size >= AT_ONCE.all || ofNetwork >= AT_ONCE.ofNetwork) throw accountRefusal('too_many_exports');
    this.underWay.set(playerId, network);
  }
}

/** The newest thousand: with 100 browsers at a time, and 100 tokens a day that are kept for a week, there are no more. */
async function sessionsOf(transaction: EntityManager, playerId: string): Promise<object[]> {
  const sessions = await transaction
    .getRepository(Session)
    .find({ where: { playerId }, order: { createdAt: 'DESC', id: 'ASC' }, take: 1_000 });
  // The hash of a personal token could confirm a token that somebody has found.
  return sessions.reverse().map(({ tokenHash, ...session }) => {
    return { browser: tokenHash ? null : browserName(session.userAgent), ...session };
  });
}

function signInsOf({ connection }: EntityManager, playerId: string): AsyncIterable<object[]> {
  const signIns = connection.getRepository(SignInCode);
  let where: FindOptionsWhere<SignInCode>[] = [{ playerId }];
  return inPages(async (take) => {
    const page = await signIns.find({ where, order: { createdAt: 'ASC', codeHash: 'ASC' }, take });
    const last = page.at(-1);
    // The server writes the times, so they have no microseconds.
    if (last)
      where = [
        { playerId, createdAt: MoreThan(last.createdAt) },
        { playerId, createdAt: last.createdAt, codeHash: MoreThan(last.codeHash) },
      ];
    return page.map(({ returnTo, createdAt, expiresAt, spentAt, sessionId }) => {
      return { returnTo, createdAt, expiresAt, spentAt, sessionId };
    });
  });
}

/**
 * Writes an object as a JSON document, indented by two, piece by piece. A property may be a list in pages. The first piece
 * contains all properties before the first such list.
 */
async function* documentText(content: object): AsyncGenerator<string> {
  let text = '{';
  for (const [index, [name, value]] of Object.entries(content).entries()) {
    text += `${index > 0 ? ',' : ''}\n  ${JSON.stringify(name)}: `;
    if (Symbol.asyncIterator in Object(value)) {
      yield text;
      yield* listText(value as AsyncIterable<readonly object[]>);
      text = '';
    } else {
      text += textOf(value, '  ');
    }
  }
  yield `${text}\n}`;
}

async function* listText(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages) {
    let text = '';
    for (const row of page) {
      text += `${before}\n    ${textOf(row, '    ')}`;
      before = ',';
    }
    yield text;
  }
  yield before === '[' ? '[]' : '\n  ]';
}

/** Leaves out the player's id, which is the same in all rows. */
function textOf(value: unknown, indent: string): string {
  const text = JSON.stringify(value, (key, inner: unknown) => (key === 'playerId' ? undefined : inner), 2);
  return text.replaceAll('\n', `\n${indent}`);
}
