import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Clock } from '../base/clock.js';
import { GameConnections } from '../counting/game-connections.js';
import { Game } from '../counting/game.entity.js';
import { inPages } from '../database/in-pages.js';
import { connectionOf } from '../web/answers/page-info.type.js';
import { hasSecretSeed } from './challenge-game-id.js';
import { type GameType, toGameType } from './game.type.js';
import { cursorOf, type GameConnection, type GamePageArgs, type GamePlace, readGamePage } from './history.type.js';

type StoredGame = Omit<Game, 'startedAt'>;
type Row = StoredGame & GamePlace;

const COLUMNS = `player_id AS "playerId", id, number, source, difficulty, result, bonus, points, seed, moves,
  by_program AS "byProgram", finished_at AS "finishedAt", (extract(epoch FROM finished_at) * 1000000)::float8 AS micros`;

const pageOf = (condition: string) => `
  SELECT ${COLUMNS} FROM games WHERE player_id = $1 ${condition} ORDER BY finished_at DESC, number DESC LIMIT $2`;
const FIRST_PAGE = pageOf('');
const NEXT_PAGE = pageOf(
  `AND (finished_at, number) < (timestamptz 'epoch' + $3::float8 * interval '1 microsecond', $4::integer)`,
);

/** Reads counted games. */
@Injectable()
export class HistoryService {
  constructor(
    @InjectRepository(Game) private readonly games: Repository<Game>,
    private readonly connections: GameConnections,
    private readonly clock: Clock,
  ) {}

  /** @returns null when there is no such game, or others may still play the same one */
  async game({ playerId, id }: Pick<Game, 'playerId' | 'id'>): Promise<GameType | null> {
    const game = await this.connections.use(() => this.games.findOneBy({ playerId, id }));
    return game && !this.isSecret(game) ? this.toType(game) : null;
  }

  /** The player's games, newest first. */
  async pageOf(playerId: string, page: GamePageArgs): Promise<GameConnection> {
    const { first, after } = readGamePage(page);
    // One more says whether there is a next page.
    const games = await this.read(playerId, first + 1, after);
    const edges = games.slice(0, first).map((game) => ({ cursor: cursorOf(game), node: this.toType(game) }));
    return connectionOf(edges, { hasNextPage: games.length > first, hasPreviousPage: after !== undefined });
  }

  /**
   * The same without games that others may still play: the results of an attempt are public when its day is over. A page
   * without them still leads to the next one.
   */
  async publicPageOf(playerId: string, page: GamePageArgs): Promise<GameConnection> {
    const connection = await this.pageOf(playerId, page);
    return { ...connection, edges: connection.edges.filter(({ node }) => !this.isSecret(node)) };
  }

  private read(playerId: string, limit: number, after: GamePlace | undefined): Promise<Row[]> {
    const place = after ? [after.micros, after.number] : [];
    return this.connections.use(() =>
      this.games.query<Row[]>(after ? NEXT_PAGE : FIRST_PAGE, [playerId, limit, ...place]),
    );
  }

  private toType(game: StoredGame): GameType {
    const seed = this.isSecret(game) ? null : game.seed;
    return toGameType({ ...game, seed });
  }

  private isSecret({ id }: Pick<Game, 'id'>): boolean {
    return hasSecretSeed(id, this.clock.now());
  }
}

interface GameRow {
  id: string;
  seed: string | null;
  number: number;
  /** The time of the game to the microsecond. */
  position: string;
}

/** Every counted game of a player, for the export of an account. */
@Injectable()
export class CountedGames {
  constructor(
    private readonly connections: GameConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * The games up to the moment of the transaction, in the order of their times. They are only ever added, and numbered
   * without a gap, so the stats of that moment give the number of the last one.
   */
  async pagesOf(playerId: string, transaction: EntityManager): Promise<AsyncIterable<object[]>> {
    const [{ end }] = await transaction.query<[{ end: number }]>(
      `SELECT coalesce(max(wins + losses + draws), 0) AS end FROM player_stats WHERE player_id = $1`,
      [playerId],
    );
    const { connection } = transaction;
    let before = 0;
    let last = { position: '-infinity', number: 0 };
    return inPages(async ({ take }) => {
      // Plain rows: making entities takes longer than all the rest.
      const page = await this.connections.use(() =>
        connection.query<GameRow[]>(
          `SELECT id, number, source, difficulty, result, bonus, points, seed, moves, by_program AS "byProgram",
             started_at AS "startedAt", finished_at AS "finishedAt", finished_at::text AS position
           FROM games WHERE player_id = $1 AND (finished_at, number) > ($2, $3) AND number <= $4
           ORDER BY finished_at, number LIMIT $5`,
          [playerId, last.position, last.number, end, take],
        ),
      );
      before += page.length;
      if (page.length < take && before < end) {
        throw new Error('The account was deleted during its export.');
      }
      last = page.at(-1) ?? last;
      const now = this.clock.now();
      return page.map(({ position: _, ...game }) => ({
        ...game,
        seed: hasSecretSeed(game.id, now) ? null : game.seed,
      }));
    });
  }
}
