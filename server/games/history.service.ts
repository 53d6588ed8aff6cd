import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Replica } from '../database/replica.js';
import { GameConnections } from './game-connections.js';
import { Game } from './game.entity.js';
import { type GameType, toGameType } from './game.type.js';

/** Reads counted games. */
@Injectable()
export class HistoryService {
  constructor(
    @InjectRepository(Game) private readonly games: Repository<Game>,
    private readonly connections: GameConnections,
    private readonly replica: Replica,
  ) {}

  /** @returns null when there is no such game */
  async game(id: string): Promise<GameType | null> {
    const game =
      (await this.replica.read((manager) => manager.findOneBy(Game, { id }))) ??
      // The replica does not have the newest games.
      (await this.connections.use(() => this.games.findOneBy({ id })));
    return game && toGameType(game);
  }

  /** The player's last games, newest first. */
  async lastOf(playerId: string, limit: number): Promise<GameType[]> {
    const games = await this.connections.use(() =>
      this.games.find({ where: { playerId }, order: { number: 'DESC' }, take: limit }),
    );
    return games.map(toGameType);
  }
}
