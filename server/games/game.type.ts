import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { Mark as MarkName } from '../../game/board.js';
import { BOT_MOVE_DELAY, type Difficulty as DifficultyName } from '../../game/bot.js';
import type { Result as ResultName } from '../../game/rules.js';
import type { Game, Source } from '../stats/game.entity.js';
import { answerOf, enumOf } from '../web/answers/enums.js';
import { RefusalType } from '../web/answers/refusals.js';
import { listOf } from '../limits/field.js';
import { challengeDayOf } from './challenge-game-id.js';
import { PlayerStatsType } from '../stats/player-stats.type.js';

// Nest's scalar has no address of its specification.
GraphQLISODateTime.specifiedByURL = 'https://scalars.graphql.org/andimarek/date-time.html';

export const Difficulty = enumOf<DifficultyName>('Difficulty', 'How well the bot plays.', {
  easy: 'The bot plays randomly.',
  medium: 'Half of the moves are smart: minimax, three moves deep.',
  hard: 'Unbeatable: minimax to the end.',
});

export const Result = enumOf<ResultName>('Result', 'How a game ended for the player, who plays X.', {
  win: 'Three X in a line.',
  lose: 'Three O in a line.',
  draw: 'A full board without a line.',
});

const GameSource = enumOf<Source>('GameSource', 'How the server knows the result.', {
  verified: 'The server has replayed the game from its seed and its moves.',
  reported: 'The client sent only the result, over REST. The operator can forbid this.',
});

const Mark = enumOf<MarkName>('Mark', 'The mark on a square.', {
  X: 'The player, who moves first.',
  O: 'The bot.',
});

@ObjectType('Move', { description: 'One mark placed on the board.' })
export class MoveType {
  @Field(() => Mark, { description: 'Whose move it was.' })
  mark!: MarkName;

  @Field(() => Int, { description: 'The square: 0 to 8, row by row from the top left.' })
  square!: number;
}

@ObjectType('Game', { description: 'A finished game that the server has counted.' })
export class GameType {
  @Field(() => ID, { description: 'The id that the ticket gave the game.' })
  id!: string;

  @Field(() => Difficulty, { description: 'How well the bot played.' })
  difficulty!: DifficultyName;

  @Field(() => Result, { description: 'How it ended for the player.' })
  result!: ResultName;

  @Field(() => Int, { description: 'The change of the score: 1 or 2 for a win, -1 for a loss, 0 for a draw.' })
  points!: number;

  @Field({ description: 'Whether this was the third win in a row, which gives a bonus point.' })
  bonus!: boolean;

  @Field(() => GraphQLISODateTime, { description: 'When the server counted the game.' })
  finishedAt!: Date;

  @Field(() => GameSource, { description: 'How the server knows the result.' })
  source!: Source;

  @Field(() => String, {
    nullable: true,
    description: 'The UTC day of the challenge that it belongs to, such as 2026-11-22. Null for another game.',
  })
  challengeDay!: string | null;

  @Field({ description: 'Whether a program got its ticket or sent it, with a personal token.' })
  byProgram!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      "The seed of the bot's random choices. Null for a reported result, and for a game of the challenge until one minute after its day.",
  })
  seed!: string | null;

  @Field(() => [MoveType], {
    nullable: true,
    description:
      'All moves of both sides in order. Null for a reported result, and in `game` for a game of the challenge until one minute after its day. They stop early in a challenge game that was not finished by the end of its day: it is lost.',
    complexity: listOf(9),
  })
  moves!: MoveType[] | null;
}

/** The only mapper from a row to the API's type. */
export function toGameType(game: Game): GameType {
  const { id, difficulty, result, points, bonus, finishedAt, source, byProgram, seed } = game;
  const moves = game.moves?.map((square, at) => ({ mark: at % 2 === 0 ? Mark.X : Mark.O, square })) ?? null;
  const challengeDay = challengeDayOf(id);
  return { id, difficulty, result, points, bonus, finishedAt, source, challengeDay, byProgram, seed, moves };
}

@ObjectType({ isAbstract: true })
abstract class DayLimit {
  @Field(() => Int, { description: 'How many games of a player count in a UTC day. 0 means all.' })
  gamesPerDay!: number;
}

@ObjectType('Ticket', {
  description: "A ticket for one game. Difficulty and seed determine the bot's moves. The player is X.",
})
export class TicketType extends DayLimit {
  @Field(() => ID, { description: 'The id of the future game.' })
  gameId!: string;

  @Field(() => Difficulty, { description: 'How well the bot plays.' })
  difficulty!: DifficultyName;

  @Field({ description: "The seed of the bot's random choices: 32 hexadecimal digits." })
  seed!: string;

  @Field({
    description:
      'The argument for `finishGame`. The server has signed it; it is valid for this player and this game only.',
  })
  token!: string;

  @Field(() => GraphQLISODateTime, { description: 'Send the game before this time.' })
  expiresAt!: Date;

  @Field({
    description: 'Whether the game counts today. False after the limit of this UTC day: send it from `countsFrom` on.',
  })
  counts!: boolean;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the game does not count, the time from which games count again: the start of the next UTC day.',
  })
  countsFrom!: Date | null;
}

/** Why the server refuses a finished game. */
export const GAME_REFUSALS = {
  ticket_invalid: 'This server did not issue this ticket. Start a new game.',
  ticket_expired: {
    sentence: 'The ticket of this game has expired. Start a new game.',
    meaning: 'The ticket is older than seven days.',
  },
  ticket_of_another_player: 'This ticket belongs to another player. Start a new game.',
  already_counted: 'This ticket was already used for a game with other moves. Start a new game.',
  voided: 'This game was voided, so it does not count.',
  illegal_move: 'A square is taken or off the board, or the game was over before it. Nothing has changed.',
  game_unfinished: 'This game is not finished. Play it to the end and send all of your squares.',
  too_fast: {
    sentence: 'This game ended faster than the bot can move. Send it again in a few seconds.',
    meaning: `The game took less time than the bot needs: ${BOT_MOVE_DELAY} ms for each of its moves.`,
  },
  too_many_games: 'You have finished too many games within one minute. Send this game again in a minute.',
  too_many_games_today: {
    sentence: 'You have reached the limit of games for today. Send this game again after midnight UTC.',
    meaning:
      'The player has reached the limit of games for this UTC day. Send this game again from `countsFrom` on, before its ticket expires: it then counts for the later day.',
  },
};

export type GameRefusalReason = keyof typeof GAME_REFUSALS;

const Reason = enumOf(
  'RefusalReason',
  'Why the server refuses a game. `too_fast`, `too_many_games` and `too_many_games_today` are temporary; the others are permanent.',
  GAME_REFUSALS,
);

@ObjectType('GameRefused', {
  description: 'The server refuses the game. Nothing has changed.',
  implements: () => [RefusalType],
})
export class GameRefused extends DayLimit implements RefusalType {
  @Field(() => Reason, { description: 'The reason, for programs.' })
  reason!: GameRefusalReason;

  message!: string;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'With `too_many_games_today`, the time from which games count again. Otherwise null.',
  })
  countsFrom!: Date | null;
}

@ObjectType('GameCounted', { description: 'The server has counted the game, now or when the client sent it before.' })
export class GameCounted extends DayLimit {
  @Field(() => GameType, { description: 'The game. Every repetition gets the same answer.' })
  game!: GameType;

  @Field(() => PlayerStatsType, { description: "The player's current stats." })
  stats!: PlayerStatsType;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      "The time from which the player's next game counts, when this was the last one that counts today. Null when the next one counts now.",
  })
  countsFrom!: Date | null;
}

@ObjectType('BotMoved', { description: "The game of a ticket after the player's squares and the bot's answers." })
export class BotMoved {
  @Field(() => [Int], { description: 'The squares of both sides in the order played, X first.', complexity: listOf(9) })
  moves!: number[];

  @Field(() => Int, {
    nullable: true,
    description: "The bot's answer to the last square. Null when that square has ended the game.",
  })
  botSquare!: number | null;

  @Field(() => Result, { nullable: true, description: 'How the game ended. Null while it goes on.' })
  result!: ResultName | null;
}

export const PlayBotMoveAnswer = answerOf(
  'PlayBotMoveAnswer',
  'The game so far, or why the server does not play it.',
  BotMoved,
  GameRefused,
);

export const FinishGameAnswer = answerOf(
  'FinishGameAnswer',
  'What the server did with a finished game.',
  GameCounted,
  GameRefused,
);
