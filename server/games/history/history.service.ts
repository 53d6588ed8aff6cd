import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { idsWithGamesOf } from '../../auth/players/merged-players.js';
import { Clock } from '../../base/clock.js';
import { hasSecretSeed } from '../challenge-game-id.js';
import { GameConnections } from '../../counting/game-connections.js';
import { Game } from '../../counting/tables/game.entity.js';
import { connectionOf } from '../../web/answers/page-info.type.js';
import { DatabaseTurns } from '../../web/requests/database-turns.js';
import { RequestLoader } from '../../web/requests/request-loader.js';
import type { GameConnection } from './game-connection.type.js';
import { cursorOf, type GamePlace, newestFirst } from './game-cursor.js';
import { type GameType, toGameType } from '../game.type.js';
import { type GameKey, publicGameId } from '../public-id.js';

/** Which games of a player to read. */
interface Page {
  readonly playerId: string;
  readonly limit: number;
  readonly after?: GamePlace | undefined;
}

/** Each page has a part for each merged account. */
const PAGES_OF_STATEMENT = 10;

type StoredGame = Omit<Game, 'startedAt'>;
type Row = StoredGame & GamePlace & { readonly page: number };

const COLUMNS = `player_id AS "playerId", id, number, source, difficulty, result, bonus, points, seed, moves,
  by_program AS "byProgram", finished_at AS "finishedAt", (extract(epoch FROM finished_at) * 1000000)::float8 AS micros`;

/** Reads counted games. */
@Injectable()
export class HistoryService {
  private readonly pages: RequestLoader<Page, Row[]>;

  constructor(
    @InjectRepository(Game) private readonly games: Repository<Game>,
    private readonly connections: GameConnections,
    private readonly clock: Clock,
    turns: DatabaseTurns,
  ) {
    this.pages = new RequestLoader(turns, 'gameReads', (pages) => this.readOnce(pages), PAGES_OF_STATEMENT);
  }

  /** @returns null when there is no such game */
  async game(key: GameKey): Promise<GameType | null> {
    const { playerId, id } = key;
    const game = await this.connections.use(() => this.games.findOneBy({ playerId, id }));
    return game && this.toPublic(game);
  }

  /** The player's last games, newest first. */
  async lastOf(playerId: string, limit: number): Promise<GameType[]> {
    const [games = []] = await this.read([{ playerId, limit }]);
    return games.map((game) => this.toType(game));
  }

  /** The same as a page of a connection. Only the player sees a game that others may still play. */
  async pageOf(
    request: IncomingMessage,
    { playerId, first, after }: { playerId: string; first: number; after: GamePlace | undefined },
    isOwn: boolean,
  ): Promise<GameConnection> {
    // One more says whether there is a next page.
    const games = await this.pages.load(request, { playerId, limit: first + 1, after });
    const page = games.slice(0, first).map((game) => ({ cursor: cursorOf(game), node: this.toType(game) }));
    const connection = connectionOf(page, { hasNextPage: games.length > first, hasPreviousPage: after !== undefined });
    // The results of an attempt are public when its day is over. A page without them still leads to the next one.
    return isOwn ? connection : { ...connection, edges: page.filter((_, at) => !this.isSecret(games[at]!)) };
  }

  /** A request may ask for the same page in many places. */
  private async readOnce(pages: readonly Page[]): Promise<Row[][]> {
    const different = new Map(pages.map((page) => [JSON.stringify(page), page]));
    const rows = await this.read([...different.values()]);
    const keys = [...different.keys()];
    return pages.map((page) => rows[keys.indexOf(JSON.stringify(page))]!);
  }

  /** The pages in one statement. Games of merged accounts are under other ids: each id has a part of its own. */
  private async read(pages: readonly Page[]): Promise<Row[][]> {
    const owners = await idsWithGamesOf(
      this.games.manager,
      pages.map(({ playerId }) => playerId),
    );
    const values: unknown[] = [];
    const parts = pages.flatMap((page, at) => owners[at]!.map((id) => partOf(page, { at, id, values })));
    const rows = await this.connections.use(() => this.games.query<Row[]>(parts.join(' UNION ALL '), values));
    return pages.map(({ limit }, at) =>
      rows
        .filter(({ page }) => page === at)
        .sort(newestFirst)
        .slice(0, limit),
    );
  }

  private toPublic(game: StoredGame): GameType {
    const shown = this.toType(game);
    // Its moves tell other players how to win the same game.
    return this.isSecret(game) ? { ...shown, moves: null } : shown;
  }

  private toType(game: StoredGame): GameType {
    const seed = this.isSecret(game) ? null : game.seed;
    return toGameType({ ...game, seed, id: publicGameId(game.playerId, game.id) });
  }

  private isSecret({ id }: StoredGame): boolean {
    return hasSecretSeed(id, this.clock.now());
  }
}

/** The part of a page under one id. */
function partOf({ limit, after }: Page, { at, id, values }: { at: number; id: string; values: unknown[] }): string {
  const value = (given: unknown) => `$${values.push(given)}`;
  let range = `player_id = ${value(id)}`;
  if (after) {
    const time = `timestamptz 'epoch' + ${value(after.micros)}::float8 * interval '1 microsecond'`;
    const place = `(${time}, ${value(after.number)}::integer, ${value(after.playerId)}::uuid)`;
    range += ` AND (finished_at, number, player_id) < ${place}`;
  }
  return `(SELECT ${at} AS page, ${COLUMNS} FROM games WHERE ${range}
    ORDER BY finished_at DESC, number DESC LIMIT ${value(limit)})`;
}
