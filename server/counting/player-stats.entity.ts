import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sums of one player's finished games. The SQL functions `record_game` and `record_games` count new games. */
@Entity('player_stats')
export class PlayerStats {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  @Column('integer')
  score!: number;

  @Column('smallint', { name: 'win_streak' })
  winStreak!: number;

  @Column('integer')
  wins!: number;

  @Column('integer')
  losses!: number;

  @Column('integer')
  draws!: number;

  /** How often the bonus point was given: `score` = `wins` - `losses` + `bonuses`. */
  @Column('integer')
  bonuses!: number;

  @Column('integer', { name: 'easy_wins' })
  easyWins!: number;

  @Column('integer', { name: 'medium_wins' })
  mediumWins!: number;

  @Column('integer', { name: 'hard_wins' })
  hardWins!: number;

  @Column('timestamptz', { name: 'reached_at' })
  reachedAt!: Date;

  /** The UTC day of the newest verified game, as `2026-01-31`; null before the first. */
  @Column('date', { name: 'verified_day', nullable: true })
  verifiedDay!: string | null;

  /** How many verified games finished on that day. */
  @Column('integer', { name: 'verified_that_day' })
  verifiedThatDay!: number;

  /** When the newest game was counted; null before the first one that was counted with this column. */
  @Column('timestamptz', { name: 'last_game_at', nullable: true })
  lastGameAt!: Date | null;

  /** Whether the player is on the boards. False for a hidden or banned player. */
  @Column('boolean')
  listed!: boolean;

  /** How many games of the player an operator has voided. */
  @Column('integer')
  voided!: number;
}
