import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';

/** One finished game. All sums are folds of these rows. */
@Entity('games')
export class Game {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** Counts the player's games from 1. */
  @Column('integer')
  number!: number;

  /** `verified`: the server has replayed the game. `reported`: the client sent the result alone. */
  @Column('text')
  source!: 'verified' | 'reported';

  @Column('text')
  difficulty!: Difficulty;

  @Column('text')
  result!: Result;

  @Column('boolean')
  bonus!: boolean;

  @Column('smallint')
  points!: number;

  /** Null for a reported result, like `moves`. */
  @Column('text', { nullable: true })
  seed!: string | null;

  /** The squares of both sides in order. X moves first. */
  @Column('smallint', { array: true, nullable: true })
  moves!: number[] | null;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at' })
  finishedAt!: Date;

  /** Whether a program has sent it with a personal token. */
  @Column('boolean', { name: 'by_program' })
  byProgram!: boolean;
}
