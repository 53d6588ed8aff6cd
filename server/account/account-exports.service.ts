import { HttpException, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../base/clock.js';
import { type DocumentPart, documentText } from './account-document.js';
import { AccountSections } from './account-sections.js';

/** Each export keeps a page of rows in memory. */
const AT_ONCE = 5;

/** Exports all that is stored about a player. */
@Injectable()
export class AccountExportsService {
  /** The players whose exports this process is writing. */
  private readonly underWay = new Set<string>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sections: AccountSections,
    private readonly clock: Clock,
  ) {}

  /**
   * Hands a JSON document to `send`, piece by piece. It shows one moment, so that the stats match the games. It holds no
   * database connection while it waits for the client.
   * @throws {HttpException} 429 while this player, or too many players, have another export under way
   */
  async write<T>(playerId: string, send: (pieces: AsyncIterable<string>) => Promise<T>): Promise<T> {
    this.admit(playerId);
    this.underWay.add(playerId);
    try {
      return await send(documentText(await this.momentOf(playerId)));
    } finally {
      this.underWay.delete(playerId);
    }
  }

  private momentOf(playerId: string): Promise<DocumentPart[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (transaction) => {
      const exportedAt = this.clock.now();
      return [{ name: 'exportedAt', content: exportedAt }, ...(await this.sections.of(playerId, transaction))];
    });
  }

  private admit(playerId: string): void {
    if (this.underWay.has(playerId)) {
      const error = 'Your data is being downloaded already. Try again when that download has ended.';
      throw new HttpException({ error, code: 'export_under_way' }, 429);
    }
    if (this.underWay.size >= AT_ONCE) {
      const error = 'Several players are downloading their data at the moment. Try again in a minute.';
      throw new HttpException({ error, code: 'too_many_exports' }, 429);
    }
  }
}
