import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { mergedIdsOf } from '../auth/players/merged-players.js';
import { Clock } from '../base/clock.js';
import { Replica } from '../database/replica.js';
import { hasSecretSeed } from './challenge-game-id.js';
import { GameConnections } from '../counting/game-connections.js';
import { Game } from '../counting/tables/game.entity.js';
import { type GameType, toGameType } from './game.type.js';
import { type GameKey, publicGameId } from './public-id.js';

/** Reads counted games. */
@Injectable()
export class HistoryService {
  constructor(
    @InjectRepository(Game) private readonly games: Repository<Game>,
    private readonly connections: GameConnections,
    private readonly replica: Replica,
    private readonly clock: Clock,
  ) {}

  /** @returns null when there is no such game */
  async game(key: GameKey): Promise<GameType | null> {
    const game =
      (await this.replica.read((manager) => findGame(manager, key))) ??
      // The replica does not have the newest games.
      (await this.connections.use(() => findGame(this.games.manager, key)));
    if (!game) return null;
    const shown = this.toType(game);
    // Its moves tell other players how to win the same game.
    return this.isSecret(game) ? { ...shown, moves: null } : shown;
  }

  /** The player's last games, newest first. */
  async lastOf(playerId: string, limit: number): Promise<GameType[]> {
    const own = await this.lastUnder([playerId], limit);
    const merged = await mergedIdsOf(this.games.manager, playerId);
    if (merged.length === 0) return own.map((game) => this.toType(game));
    const games = [...own, ...(await this.lastUnder(merged, limit))];
    return games
      .sort(newestFirst)
      .slice(0, limit)
      .map((game) => this.toType(game));
  }

  private lastUnder(playerIds: readonly string[], limit: number): Promise<Game[]> {
    return this.connections.use(() =>
      this.games.find({
        where: { playerId: playerIds.length === 1 ? playerIds[0]! : In(playerIds) },
        order: { finishedAt: 'DESC', number: 'DESC' },
        take: limit,
      }),
    );
  }

  private toType(game: Game): GameType {
    const seed = this.isSecret(game) ? null : game.seed;
    return toGameType({ ...game, seed, id: publicGameId(game.playerId, game.id) });
  }

  private isSecret({ id }: Game): boolean {
    return hasSecretSeed(id, this.clock.now());
  }
}

function newestFirst(one: Game, other: Game): number {
  return other.finishedAt.getTime() - one.finishedAt.getTime() || other.number - one.number;
}

function findGame(manager: EntityManager, { playerId, id }: GameKey): Promise<Game | null> {
  return manager.findOneBy(Game, { playerId, id });
}
