import { Column, Entity, PrimaryColumn } from 'typeorm';
import { PlayerSumsColumns } from './player-sums.entity.js';

/** The sums of the archived games under one player's id. */
@Entity('archived_stats')
export class ArchivedStats extends PlayerSumsColumns {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  /** The number of the last of these games. */
  @Column('integer', { name: 'up_to' })
  upTo!: number;
}
