import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A player whose account became part of another one. The games stay under the id of the merged player. */
@Entity('merged_players')
export class MergedPlayer {
  /** Whose games they are now. */
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  @PrimaryColumn('uuid', { name: 'merged_id' })
  mergedId!: string;

  /** How many games the merged player has. The number never changes. */
  @Column('integer')
  games!: number;

  @Column('timestamptz', { name: 'merged_at' })
  mergedAt!: Date;
}
