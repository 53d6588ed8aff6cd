import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';

/** `verified`: the server has replayed the game. `reported`: the client sent the result alone. */
export type Source = 'verified' | 'reported';

/** One finished game: a row of `games`, or of `voided_games`. All sums are folds of the rows of `games`. */
export interface Game {
  readonly playerId: string;
  readonly id: string;
  /** Counts the player's games from 1. */
  readonly number: number;
  readonly source: Source;
  readonly difficulty: Difficulty;
  readonly result: Result;
  /** Whether it was the third win in a row. */
  readonly bonus: boolean;
  /** The change of the score, bonus included. */
  readonly points: number;
  /** Null for a reported result, like `moves`. */
  readonly seed: string | null;
  /** The squares of both sides in order. X moves first. */
  readonly moves: readonly number[] | null;
  /** Whether a program got its ticket or sent it, with a personal token. */
  readonly byProgram: boolean;
  readonly startedAt: Date | null;
  /** When it was counted. It belongs to the UTC day and week of this time. */
  readonly finishedAt: Date;
}

/** The columns of `Game`, for all statements. */
export const GAME = {
  playerId: 'uuid',
  id: 'uuid',
  number: 'integer',
  source: 'text',
  difficulty: 'text',
  result: 'text',
  bonus: 'boolean',
  points: 'smallint',
  seed: 'text',
  moves: 'smallint[]',
  byProgram: 'boolean',
  startedAt: 'timestamptz',
  finishedAt: 'timestamptz',
} as const satisfies Record<keyof Game, string>;

/** A finished game that is not counted yet, and on which conditions it counts. */
export interface GameToCount {
  readonly game: Omit<Game, 'number' | 'bonus' | 'points'>;
  /** The session that must be live. Null for a game that the server itself ends. */
  readonly sessionId: string | null;
  readonly limits: GameLimits;
}

/** How many games of a player count. 0 means no limit. */
export interface GameLimits {
  /** Of one source within a minute. */
  readonly gamesPerMinute: number;
  /** Verified ones on a UTC day. */
  readonly gamesPerDay: number;
}
