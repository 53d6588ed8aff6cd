import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The five games of one player on one day. */
@Entity('challenge_attempts')
export class ChallengeAttempt {
  @PrimaryColumn('uuid', { name: 'player_id' })
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
  @Column('smallint')
  finished!: number;

  @Column('smallint')
  wins!: number;

  @Column('smallint')
  draws!: number;

  /** No move changes it any more: its fifth game or its day is over. */
  @Column('boolean')
  closed!: boolean;

  /** How many of its games, from the first on, are in the player's stats. */
  @Column('smallint')
  counted!: number;

  /** As `totalMovesOf` computes it. */
  @Column('smallint', { name: 'total_moves' })
  totalMoves!: number;
}
