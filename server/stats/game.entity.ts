import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { columnsIn } from '../database/entity-columns.js';

/** `verified`: the server has replayed the game. `reported`: the client sent the result alone. */
export type Source = 'verified' | 'reported';

/** One finished game. All sums are folds of the counted ones. */
export abstract class Game {
  @PrimaryColumn('uuid', { name: 'player_id' })
  readonly playerId!: string;

  @PrimaryColumn('uuid')
  readonly id!: string;

  /** Counts the player's games from 1. */
  @Column('integer')
  readonly number!: number;

  @Column('text')
  readonly source!: Source;

  @Column('text')
  readonly difficulty!: Difficulty;

  @Column('text')
  readonly result!: Result;

  /** Whether it was the third win in a row. */
  @Column('boolean')
  readonly bonus!: boolean;

  /** The change of the score, bonus included. */
  @Column('smallint')
  readonly points!: number;

  /** Null for a reported result, like `moves`. */
  @Column('text', { nullable: true })
  readonly seed!: string | null;

  /** The squares of both sides in order. X moves first. */
  @Column('smallint', { array: true, nullable: true })
  readonly moves!: readonly number[] | null;

  /** Whether a program got its ticket or sent it, with a personal token. */
  @Column('boolean', { name: 'by_program', default: false })
  readonly byProgram!: boolean;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  readonly startedAt!: Date | null;

  /** When it was counted. It belongs to the UTC day and week of this time. */
  @Column('timestamptz', { name: 'finished_at' })
  readonly finishedAt!: Date;
}

@Entity('games')
@Index('games_time', ['playerId', 'finishedAt'])
export class CountedGame extends Game {}

/** A decision has taken it out of the sums. It does not count when it is sent again. */
@Entity('voided_games')
export class VoidedGame extends Game {}

/** The columns of a game, for statements in SQL. */
export const GAME = columnsIn(Game);
