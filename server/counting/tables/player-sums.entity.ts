import { Column } from 'typeorm';

/** The columns of `PlayerSums`. */
export abstract class PlayerSumsColumns {
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

  @Column('integer')
  bonuses!: number;

  @Column('integer', { name: 'easy_wins' })
  easyWins!: number;

  @Column('integer', { name: 'medium_wins' })
  mediumWins!: number;

  @Column('integer', { name: 'hard_wins' })
  hardWins!: number;

  @Column('integer', { name: 'hard_draws' })
  hardDraws!: number;

  @Column('integer', { name: 'hard_draws_in_a_row' })
  hardDrawsInARow!: number;

  @Column('integer', { name: 'best_hard_draws' })
  bestHardDraws!: number;

  @Column('timestamptz', { name: 'reached_at' })
  reachedAt!: Date;

  @Column('date', { name: 'verified_day', nullable: true })
  verifiedDay!: string | null;

  @Column('integer', { name: 'verified_that_day' })
  verifiedThatDay!: number;

  @Column('timestamptz', { name: 'last_game_at', nullable: true })
  lastGameAt!: Date | null;
}
