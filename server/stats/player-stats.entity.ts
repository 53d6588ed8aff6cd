import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Week } from '../../game/week.js';
import { Player } from '../auth/players/player.entity.js';

/**
 * The sums of one player's games. A player who was hidden before the first game has a row too: its `reached_at` is the time
 * of hiding.
 */
@Entity('player_stats')
@Index('player_stats_standing', { synchronize: false })
@Index('player_stats_unlisted', ['playerId'], { where: 'NOT listed' })
export class PlayerStats {
  @PrimaryColumn('uuid', { name: 'player_id' })
  @ForeignKey(() => Player, { name: 'player_stats_player_id_fkey' })
  readonly playerId!: string;

  /** How often the sums were written: a writer replaces only the sums that it has read. */
  @Column('integer', { default: 0 })
  readonly version!: number;

  @Column('integer', { default: 0 })
  readonly score!: number;

  @Column('smallint', { name: 'win_streak', default: 0 })
  readonly winStreak!: number;

  @Column('integer', { default: 0 })
  readonly wins!: number;

  @Column('integer', { default: 0 })
  readonly losses!: number;

  @Column('integer', { default: 0 })
  readonly draws!: number;

  @Column('integer', { name: 'easy_wins', default: 0 })
  readonly easyWins!: number;

  @Column('integer', { name: 'medium_wins', default: 0 })
  readonly mediumWins!: number;

  @Column('integer', { name: 'hard_wins', default: 0 })
  readonly hardWins!: number;

  /** Verified draws at hard. */
  @Column('integer', { name: 'hard_draws', default: 0 })
  readonly hardDraws!: number;

  /** Those since the last verified loss there. */
  @Column('integer', { name: 'hard_draws_in_a_row', default: 0 })
  readonly hardDrawsInARow!: number;

  /** The longest run of `hardDrawsInARow`. */
  @Column('integer', { name: 'best_hard_draws', default: 0 })
  readonly bestHardDraws!: number;

  /** When the last game finished that was no draw, or else the first game. */
  @Column('timestamptz', { name: 'reached_at' })
  readonly reachedAt!: Date;

  @Column('timestamptz', { name: 'last_game_at', nullable: true })
  readonly lastGameAt!: Date | null;

  /** How many games finished on the UTC day of `lastGameAt`. */
  @Column('integer', { name: 'games_that_day', default: 0 })
  readonly gamesThatDay!: number;

  @Column('integer', { name: 'program_games', default: 0 })
  readonly programGames!: number;

  @Column('timestamptz', { name: 'first_easy_win_at', nullable: true })
  readonly firstEasyWinAt!: Date | null;

  @Column('timestamptz', { name: 'first_medium_win_at', nullable: true })
  readonly firstMediumWinAt!: Date | null;

  @Column('timestamptz', { name: 'first_hard_draw_at', nullable: true })
  readonly firstHardDrawAt!: Date | null;

  @Column('timestamptz', { name: 'ten_hard_draws_at', nullable: true })
  readonly tenHardDrawsAt!: Date | null;

  /** Whether the player is on the boards. False for a hidden or banned player. */
  @Column('boolean', { default: true })
  readonly listed!: boolean;
}

/** The sums of one player's verified games of one week. */
@Entity('player_weeks')
@Index('player_weeks_standing', { synchronize: false })
export class PlayerWeek {
  @PrimaryColumn('uuid', { name: 'player_id' })
  readonly playerId!: string;

  @PrimaryColumn('date')
  readonly week!: Week;

  @Column('integer')
  readonly score!: number;

  @Column('integer')
  readonly wins!: number;

  @Column('integer')
  readonly losses!: number;

  @Column('integer')
  readonly draws!: number;

  @Column('timestamptz', { name: 'reached_at' })
  readonly reachedAt!: Date;

  /** How many of the games are `byProgram`. */
  @Column('integer', { name: 'program_games', default: 0 })
  readonly programGames!: number;
}
