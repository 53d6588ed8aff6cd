import { Column, PrimaryColumn } from 'typeorm';

/** The columns of `WeekSums` that the two tables of weeks share. */
export abstract class WeekSumsColumns {
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
