import { CHALLENGE_DIFFICULTIES, CHALLENGE_GAMES } from '../../game/challenge.js';
import type { PlayerStatsType } from '../games/player-stats.type.js';
import { type Attempt, type BotAnswer, resultOf, squaresOf, totalMovesOf } from './attempt.js';
import {
  type ChallengeAttemptType,
  ChallengePlayed,
  ChallengeRefusalReason,
  ChallengeRefused,
} from './challenge.type.js';

export type Answer = ChallengePlayed | ChallengeRefused;
export type Reason = keyof typeof ChallengeRefusalReason;

const MESSAGES: Record<Reason, string> = {
  not_today: 'The day of this challenge is not today. Open the challenge of today.',
  other_account_played: 'You played this challenge with another account. There is a new one every day.',
  game_out_of_order: 'Finish the earlier games of the challenge first.',
  game_not_started: 'Start this game before you play it.',
  game_over: 'This game is over.',
  move_out_of_order: 'An earlier move of this game is missing. Load the game again.',
  other_square_played: 'You have already played this move on another square. Load the game again.',
  illegal_move: 'This square is taken.',
};

const NOTHING_PLAYED: BotAnswer = { botSquare: null, result: null };

export function played(
  attempt: Attempt,
  answer = NOTHING_PLAYED,
  stats: PlayerStatsType | null = null,
): ChallengePlayed {
  const { playerId, day } = attempt;
  return Object.assign(new ChallengePlayed(), { attempt: toAttempt(playerId, day, attempt), ...answer, stats });
}

export function refused(reason: Reason, attempt: ChallengeAttemptType): ChallengeRefused {
  const named = { reason: ChallengeRefusalReason[reason], message: MESSAGES[reason], attempt };
  return Object.assign(new ChallengeRefused(), named);
}

/** The attempt of a player, also of one who has not begun. */
export function toAttempt(playerId: string, day: string, attempt: Attempt | null): ChallengeAttemptType {
  const games = CHALLENGE_DIFFICULTIES.map((difficulty, at) => {
    const squares = attempt?.games[at];
    return {
      number: at + 1,
      difficulty,
      started: squares !== undefined,
      squares: squaresOf(squares ?? ''),
      result: resultOf(squares ?? ''),
    };
  });
  const done = attempt?.finished === CHALLENGE_GAMES;
  return { playerId, day, games, totalMoves: done ? totalMovesOf(attempt.games) : null };
}
