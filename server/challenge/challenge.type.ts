import { Field, Int, IntersectionType, ObjectType, PickType } from '@nestjs/graphql';
import type { Difficulty as DifficultyName } from '../../game/bot.js';
import { CHALLENGE_DIFFICULTIES, CHALLENGE_GAMES } from '../../game/challenge.js';
import type { Result as ResultName } from '../../game/rules.js';
import { Difficulty, Result } from '../games/game.type.js';
import { PlayerStatsType } from '../stats/player-stats.type.js';
import type { Attempt } from './attempt.entity.js';
import { type BotAnswer, resultOf, squaresOf } from './attempt.js';
import { EntryType } from '../auth/players/player.type.js';
import { answerOf, enumOf, sentenceIn } from '../web/answers/enums.js';
import { RefusalType } from '../web/answers/refusals.js';
import { listOf } from '../limits/field.js';

@ObjectType('ChallengeGame', { description: "One game of the player's own attempt." })
export class ChallengeGameType {
  @Field(() => Int, { description: 'From 1 to 5, in the order in which they are played.' })
  number!: number;

  @Field(() => Difficulty, { description: 'How well the bot plays.' })
  difficulty!: DifficultyName;

  @Field({ description: 'Whether the player has started it.' })
  started!: boolean;

  @Field(() => [Int], {
    description: 'The squares of both sides in order. The player moves first.',
    complexity: listOf(9),
  })
  squares!: number[];

  @Field(() => Result, { nullable: true, description: 'How it ended for the player. Null until its end.' })
  result!: ResultName | null;
}

@ObjectType('ChallengeAttempt', { description: "A player's one attempt at the challenge of a day." })
export class ChallengeAttemptType extends PickType(EntryType, ['playerId']) {
  @Field({ description: 'The UTC day, such as 2026-11-22.' })
  day!: string;

  @Field(() => [ChallengeGameType], {
    description: 'The five games: two easy, two medium, one hard.',
    complexity: listOf(5),
  })
  games!: ChallengeGameType[];

  @Field(() => Int, {
    nullable: true,
    description:
      "The moves of the five games: the X's of each game that is won, and five for each other game. Null before the end of the fifth game.",
  })
  totalMoves!: number | null;
}

@ObjectType('ChallengeEntry', { description: 'One player in the table of a day.' })
export class ChallengeEntryType extends IntersectionType(EntryType, PickType(PlayerStatsType, ['wins', 'draws'])) {
  @Field(() => Int, { description: '1 and the number of players with a better result. Equal results share a place.' })
  place!: number;

  @Field(() => Int, { description: "The X's of won games, and five for each other game: fewer are better." })
  totalMoves!: number;

  @Field(() => [Result], {
    description: 'The results of the games that the player started, in order.',
    complexity: listOf(5),
  })
  results!: ResultName[];

  @Field(() => [String], {
    nullable: true,
    description:
      'For each of these games the squares of both sides in order, one digit each. With the seeds, they prove the results. Null until one minute after the day.',
    complexity: listOf(5),
  })
  moves!: string[] | null;
}

@ObjectType('Rival', {
  description:
    "Somebody who began a challenge of the last 28 days by the player's link, or whose link the player took. Today counts.",
})
export class RivalType extends EntryType {
  @Field(() => ChallengeEntryType, { nullable: true, description: "The rival in today's table. Null when not in it." })
  today!: ChallengeEntryType | null;

  @Field(() => Int, { description: 'On how many of these days that are over the player has the better result.' })
  daysWon!: number;

  @Field(() => Int, { description: 'On how many of them both have the same result.' })
  daysDrawn!: number;

  @Field(() => Int, { description: 'On how many of them the rival has the better result.' })
  daysLost!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The last of them, or today once both have finished, on which the rival has the better result.',
  })
  lastLost!: string | null;

  @Field(() => Int, { description: "The score of the rival's verified games of this week." })
  weekScore!: number;
}

@ObjectType('Challenge', { description: 'The challenge of a day: the same five games for everybody.' })
export class ChallengeType {
  @Field({ description: 'The UTC day, such as 2026-11-22.' })
  day!: string;

  @Field({ description: 'Whether the day is over.' })
  over!: boolean;
}

const REASONS = {
  not_today: 'The day of this challenge is not today. Open the challenge of today.',
  other_account_played: {
    sentence: 'You played this challenge with another account. There is a new one every day.',
    meaning:
      'The same person has started the challenge of this day with another account. It may be deleted, or have shared a sign-in method.',
  },
  game_out_of_order: 'Finish the earlier games of the challenge first.',
  game_not_started: 'Start this game before you play it.',
  game_over: 'This game is over.',
  move_out_of_order: 'An earlier move of this game is missing. Load the game again.',
  other_square_played: 'You have already played this move on another square. Load the game again.',
  illegal_move: 'This square is taken.',
};
export type Reason = keyof typeof REASONS;

const ReasonEnum = enumOf(
  'ChallengeRefusalReason',
  'Why the server refuses a start or a move of the challenge.',
  REASONS,
);

@ObjectType('ChallengeRefused', {
  description: 'The server refuses the start or the move. Nothing has changed.',
  implements: () => [RefusalType],
})
export class ChallengeRefused extends RefusalType {
  @Field(() => ReasonEnum, { description: 'The reason, for programs.' })
  reason!: Reason;

  @Field(() => ChallengeAttemptType, { description: 'The attempt as the server knows it.' })
  attempt!: ChallengeAttemptType;
}

@ObjectType('ChallengePlayed', { description: 'The server has done it, now or when the client asked before.' })
export class ChallengePlayed {
  @Field(() => ChallengeAttemptType, { description: 'The attempt as it is now.' })
  attempt!: ChallengeAttemptType;

  @Field(() => Int, {
    nullable: true,
    description: "The bot's answer to this move. Null after a start, and after the player's last move.",
  })
  botSquare!: number | null;

  @Field(() => Result, {
    nullable: true,
    description: 'How the game ended with this move or its answer; null otherwise.',
  })
  result!: ResultName | null;

  @Field(() => PlayerStatsType, {
    nullable: true,
    description: "The player's current stats, at the end of a game.",
  })
  stats!: PlayerStatsType | null;
}

export const ChallengeAnswer = answerOf(
  'ChallengeAnswer',
  'What the server did with a start or a move of the challenge.',
  ChallengePlayed,
  ChallengeRefused,
);

export type Answer = ChallengePlayed | ChallengeRefused;

export function played(
  attempt: Attempt,
  answer: BotAnswer = { botSquare: null, result: null },
  stats: PlayerStatsType | null = null,
): ChallengePlayed {
  return { attempt: toAttempt(attempt.playerId, attempt.day, attempt), ...answer, stats };
}

export function refused(reason: Reason, attempt: ChallengeAttemptType): ChallengeRefused {
  return { reason, message: sentenceIn(REASONS[reason]), attempt };
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
  return { playerId, day, games, totalMoves: done ? attempt.totalMoves : null };
}
