import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { GameConnections } from './game-connections.js';
import { Game } from './game.entity.js';
import { type GameType, toGameType } from './game.type.js';
import { type GameKey, publicGameId } from './public-id.js';

/** Reads counted games. */
@Injectable()
export class HistoryService {
  constructor(
    @InjectRepository(Game) private readonly games: Repository<Game>,
    private readonly connections: GameConnections,
  ) {}

  /** @returns null when there is no such game */
  async game({ playerId, id }: GameKey): Promise<GameType | null> {
    const game = await this.connections.use(() =>
      playerId ? this.games.findOneBy({ playerId, id }) : this.earlier(id),
    );
    return game && publicGame(game);
  }

  /**
   * A UUID alone is the id of a game from before the table had partitions. Only the partition of those games has an
   * index for it.
   */
  private async earlier(id: string): Promise<Game | null> {
    const [row] = await this.games.query<{ before: Date }[]>(
      `SELECT to_date(right(relname, 7), 'YYYY_MM')::timestamp AT TIME ZONE 'UTC' AS before
       FROM pg_inherits JOIN pg_class ON oid = inhrelid
       WHERE inhparent = 'games'::regclass AND relname ~ '^games_before_'`,
    );
    return row ? this.games.findOneBy({ id, finishedAt: LessThan(row.before) }) : null;
  }

  /** The player's last games, newest first. */
  async lastOf(playerId: string, limit: number): Promise<GameType[]> {
    const games = await this.connections.use(() =>
      this.games.find({ where: { playerId }, order: { finishedAt: 'DESC', number: 'DESC' }, take: limit }),
    );
    return games.map(publicGame);
  }
}

function publicGame(game: Game): GameType {
  return toGameType({ ...game, id: publicGameId(game.playerId, game.id) });
}
