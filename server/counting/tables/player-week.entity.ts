import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sums of one player's verified games in one week. */
@Entity('player_weeks')
export class PlayerWeek {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  /** The Monday on which the week begins, in UTC, as `2026-01-26`. */
  @PrimaryColumn('date')
  week!: string;

  @Column('integer')
  score!: number;

  @Column('integer')
  wins!: number;

  @Column('integer')
  losses!: number;

  @Column('integer')
  draws!: number;

  @Column('timestamptz', { name: 'reached_at' })
  reachedAt!: Date;
}
