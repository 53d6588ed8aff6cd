import { BadRequestException, HttpException, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../clock.js';
import { EXPORT_CONNECTIONS } from '../../database/limits.js';
import { documentText } from './account-document.js';
import { AccountSections } from './account-sections.js';
import { ownSections } from './own-sections.js';

/** What an answer of GraphQL may hold, in characters: about two thousand games. */
const SMALL = 1_000_000;

/** All that is stored about a player, in their hands. */
@Injectable()
export class AccountExportsService {
  /** Whose exports this process is writing. */
  private readonly underWay = new Set<string>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sections: AccountSections,
    private readonly clock: Clock,
  ) {}

  /**
   * Hands a JSON document to `send`, piece by piece. It is one moment's state, so that the stats are what the games
   * beside them add up to; a connection is held until `send` settles.
   * @throws {HttpException} 429 while this player has another export under way, or too many players have
   */
  async write<T>(playerId: string, send: (pieces: AsyncIterable<string>) => Promise<T>): Promise<T> {
    this.admit(playerId);
    this.underWay.add(playerId);
    try {
      return await this.dataSource.transaction('REPEATABLE READ', (transaction) =>
        send(
          documentText([
            { name: 'exportedAt', content: () => Promise.resolve(this.clock.now()) },
            ...[...ownSections, ...this.sections.all()].map((section) => ({
              name: section.name,
              content: () => section.contentFor(playerId, transaction),
            })),
          ]),
        ),
      );
    } finally {
      this.underWay.delete(playerId);
    }
  }

  /** @throws {BadRequestException} where the document is too long to be held in memory */
  small(playerId: string): Promise<string> {
    return this.write(playerId, async (pieces) => {
      let text = '';
      for await (const piece of pieces) {
        text += piece;
        if (text.length > SMALL) {
          throw new BadRequestException({
            error: 'This account is too large for exportAccount. Download it from GET /api/account/export.',
            code: 'account_too_large',
          });
        }
      }
      return text;
    });
  }

  private admit(playerId: string): void {
    if (this.underWay.has(playerId)) {
      const error = 'Your data is being downloaded already. Try again when that download has ended.';
      throw new HttpException({ error, code: 'export_under_way' }, 429);
    }
    if (this.underWay.size >= EXPORT_CONNECTIONS) {
      const error = 'Several players are downloading their data at the moment. Try again in a minute.';
      throw new HttpException({ error, code: 'too_many_exports' }, 429);
    }
  }
}
