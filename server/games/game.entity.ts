import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';

/** One finished game: the truth that `player_stats` adds up. Written only by the function `record_game` in the database. */
@Entity('games')
export class Game {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'player_id' })
  playerId!: string;

  /** The player's first game is 1, the next 2. */
  @Column('integer')
  number!: number;

  /** Replayed by the server, or taken on the sender's word. */
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

  /** Null, as are the moves, where the result was reported. */
  @Column('text', { nullable: true })
  seed!: string | null;

  /** The squares of both sides in the order played, X first. */
  @Column('smallint', { array: true, nullable: true })
  moves!: number[] | null;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at' })
  finishedAt!: Date;
}
