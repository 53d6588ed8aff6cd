import { Column, Entity, PrimaryColumn } from 'typeorm';
import { PlayerSumsColumns } from './player-sums.entity.js';

/** The sums of one player's games, with those of merged accounts. */
@Entity('player_stats')
export class PlayerStats extends PlayerSumsColumns {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  /** How often the sums were written: a writer replaces only the sums that it has read. */
  @Column('integer')
  version!: number;

  /** Whether the player is on the boards. False for a hidden or banned player. */
  @Column('boolean')
  listed!: boolean;

  /** How many games of the player an operator has voided. */
  @Column('integer')
  voided!: number;
}
