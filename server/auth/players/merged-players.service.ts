import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { MergedPlayer } from './merged-player.entity.js';

/** Knows the players whose accounts became part of another one. */
@Injectable()
export class MergedPlayersService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The merged players whose games belong to this player, in a fixed order. */
  of(playerId: string, manager: EntityManager = this.dataSource.manager): Promise<MergedPlayer[]> {
    return manager
      .getRepository(MergedPlayer)
      .find({ where: { playerId }, order: { mergedAt: 'ASC', mergedId: 'ASC' } });
  }

  /** Their ids. */
  async idsOf(playerId: string, manager?: EntityManager): Promise<string[]> {
    return (await this.of(playerId, manager)).map(({ mergedId }) => mergedId);
  }

  /** The player whom an id means now: it may be of a merged player. A merged account without games has left no trace. */
  async ownerOf(playerId: string): Promise<string> {
    const merged = await this.dataSource.getRepository(MergedPlayer).findOneBy({ mergedId: playerId });
    return merged?.playerId ?? playerId;
  }
}
