import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import type { Stats } from '../../game/scoring.js';
import type { Source } from './sums.js';

/** A finished game that a request or the settlement of the challenge wants to be counted. */
export interface GameToCount {
  readonly playerId: string;
  /** The session that must be live. Null for a game that the server itself ends. */
  readonly sessionId: string | null;
  readonly id: string;
  readonly source: Source;
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly seed?: string;
  readonly moves?: readonly number[];
  readonly startedAt?: Date;
  /** Whether a program sends it with a personal token. */
  readonly byProgram?: boolean;
  /** When it is counted. It belongs to the UTC day and week of this time. */
  readonly now: Date;
  /** How many of the player's games of this source count within a minute; 0 means no limit. */
  readonly gamesPerMinute: number;
  /** How many of the player's verified games count on a UTC day; 0 means no limit. */
  readonly gamesPerDay: number;
}

/** `differs`: another game has this id. `voided`: an operator has taken the game out of the sums. `signed_out`: the session has ended, or the player is gone. */
type Refusal = 'differs' | 'voided' | 'too_many' | 'too_many_today' | 'signed_out';

/** What became of a game. `repeated`: the same game has been counted before. */
export type Counted =
  | { readonly status: Refusal; readonly gamesToday: number }
  | {
      readonly status: 'counted' | 'repeated';
      /** The player's verified games on the day, where these have a limit. */
      readonly gamesToday: number;
      readonly finishedAt: Date;
      readonly bonus: boolean;
      readonly byProgram: boolean;
      readonly points: number;
      readonly stats: Stats;
      /** The score of the week in which the game was counted. Null for a game that counts for no week, or was counted before. */
      readonly weekScore: number | null;
    };
