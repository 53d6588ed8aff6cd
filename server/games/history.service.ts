import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { gamesIn } from '../../game/scoring.js';
import { Clock } from '../base/clock.js';
import { select } from '../database/entity-columns.js';
import { CountedGame, GAME, type Game } from '../stats/game.entity.js';
import { PlayerStats } from '../stats/player-stats.entity.js';
import { noSums } from '../stats/sums.js';
import { voidedGamesOf } from '../stats/void-game.js';
import { inPages } from '../database/in-pages.js';
import { connectionOf } from '../web/answers/page-info.type.js';
import { hasSecretSeed, secretGames } from './challenge-game-id.js';
import { type GameType, toGameType } from './game.type.js';
import { cursorOf, type GameConnection, type GamePageArgs, type GamePlace, readGamePage } from './history.type.js';

type Row = Game & GamePlace;

const MICROS = '(extract(epoch FROM finished_at) * 1000000)::float8 AS micros';

const pageOf = (condition: string) => `
  SELECT ${select(GAME, 'g')}, ${MICROS} FROM games g
  WHERE player_id = $1 AND id::text NOT LIKE ALL ($3::text[]) ${condition} ORDER BY finished_at DESC, number DESC LIMIT $2`;
const FIRST_PAGE = pageOf('');
const NEXT_PAGE = pageOf(
  `AND (finished_at, number) < (timestamptz 'epoch' + $4::float8 * interval '1 microsecond', $5::integer)`,
);

/** `position` is the time of the game to the microsecond. */
const EXPORTED = `
  SELECT ${select(GAME, 'g')}, finished_at::text AS position FROM games g
  WHERE player_id = $1 AND (finished_at, number) > ($2, $3) AND number <= $4 ORDER BY finished_at, number LIMIT $5`;

@Injectable()
export class HistoryService {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @returns null when there is no such game, or others may still play the same one */
  async game(key: Pick<Game, 'playerId' | 'id'>): Promise<GameType | null> {
    const game = await this.database.getRepository(CountedGame).findOneBy(key);
    return game && !this.isSecret(game) ? toGameType(game) : null;
  }

  /** @param hidden what the ids of games look like that are not shown */
  async pageOf(playerId: string, page: GamePageArgs, hidden: readonly string[] = []): Promise<GameConnection> {
    const { first, after } = readGamePage(page);
    // One more says whether there is a next page.
    const values = [playerId, first + 1, hidden, ...(after ? [after.micros, after.number] : [])];
    const games = await this.database.query<Row[]>(after ? NEXT_PAGE : FIRST_PAGE, values);
    const edges = games.slice(0, first).map((game) => ({ cursor: cursorOf(game), node: toGameType(this.shown(game)) }));
    return connectionOf(edges, { hasNextPage: games.length > first, hasPreviousPage: Boolean(after) });
  }

  /** The same without games that others may still play: the results of an attempt are public when its day is over. */
  publicPageOf(playerId: string, page: GamePageArgs): Promise<GameConnection> {
    return this.pageOf(playerId, page, secretGames(this.clock.now()));
  }

  /**
   * Every counted game of a player for the export, up to the moment of the transaction, in the order of their times. They are
   * only ever added, and numbered without a gap, so the stats of that moment give the number of the last one.
   */
  async allOf(playerId: string, transaction: EntityManager): Promise<AsyncIterable<Game[]>> {
    const end = gamesIn((await transaction.getRepository(PlayerStats).findOneBy({ playerId })) ?? noSums);
    let before = 0;
    let last = { position: '-infinity', number: 0 };
    return inPages(async (take) => {
      const values = [playerId, last.position, last.number, end, take];
      const page = await this.database.query<(Game & { position: string })[]>(EXPORTED, values);
      before += page.length;
      if (page.length < take && before < end) throw new Error('The account was deleted during its export.');
      last = page.at(-1) ?? last;
      return page.map(({ position: _, ...game }) => this.shown(game));
    });
  }

  /** The voided games of a player for the export, in the order of their times. */
  async voidedOf(playerId: string, transaction: EntityManager): Promise<Game[]> {
    const games = await voidedGamesOf(transaction, playerId, null);
    return games.reverse().map((game) => this.shown(game));
  }

  /** Without a seed with which others may still play. */
  private shown(game: Game): Game {
    return this.isSecret(game) ? { ...game, seed: null } : game;
  }

  private isSecret({ id }: Pick<Game, 'id'>): boolean {
    return hasSecretSeed(id, this.clock.now());
  }
}
