import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Player } from '../auth/players/player.entity.js';

/** The five games of one player on one day. Nothing changes one in place. */
@Entity('challenge_attempts')
@Index('challenge_attempts_standing', { synchronize: false })
@Index('challenge_attempts_unsettled', ['day', 'playerId'], { where: 'NOT closed OR counted < cardinality(games)' })
@Index('challenge_attempts_dared_by', ['daredBy', 'day'], { where: 'dared_by IS NOT NULL' })
export class Attempt {
  @PrimaryColumn('uuid', { name: 'player_id' })
  @ForeignKey(() => Player, { name: 'challenge_attempts_player_id_fkey', onDelete: 'CASCADE' })
  playerId!: string;

  /** The UTC day, as `2026-01-31`. */
  @PrimaryColumn('date')
  day!: string;

  /** The squares of both sides in order, one digit each, for each game that has started. */
  @Column('text', { array: true })
  games!: string[];

  @Column('timestamptz', { name: 'started_at', array: true })
  startedAt!: Date[];

  /** The numbers of games. */
  @Column('smallint', { default: 0 })
  finished!: number;

  @Column('smallint', { default: 0 })
  wins!: number;

  @Column('smallint', { default: 0 })
  draws!: number;

  /** No move changes it any more: its fifth game or its day is over. */
  @Column('boolean', { default: false })
  closed!: boolean;

  /** How many of its games, from the first on, are in the player's stats. */
  @Column('smallint', { default: 0 })
  counted!: number;

  /** As `totalMovesOf` computes it. */
  @Column('smallint', { name: 'total_moves', default: 25 })
  totalMoves!: number;

  /** The first of the days in a row that it belongs to. Older attempts end, and the run goes on. */
  @Column('date', { name: 'run_start' })
  runStart!: string;

  /** The player whose link led to it. Erased with that account. */
  @Column('uuid', { name: 'dared_by', nullable: true })
  daredBy!: string | null;
}
