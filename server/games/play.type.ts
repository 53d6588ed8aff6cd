import { createUnionType, Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { BOT_MOVE_DELAY, type Difficulty as DifficultyName } from '../../game/bot.js';
import type { Result as ResultName } from '../../game/rules.js';
import { RefusalType } from '../web/answers/refusals.js';
import { Difficulty, GameType, Result } from './game.type.js';
import { PlayerStatsType } from './player-stats.type.js';

@ObjectType('Ticket', {
  description:
    "A ticket for one game. `counts` says whether the game will count. Difficulty and seed determine the bot's moves. The player is X.",
})
export class TicketType {
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
    description:
      'Whether the game will count. False when the player has reached the limit of games for this UTC day: the game is then practice.',
  })
  counts!: boolean;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the game does not count, the time from which games count again: the start of the next UTC day.',
  })
  countsFrom!: Date | null;
}

/** Why the server refuses a finished game. The last three are temporary; the others are permanent. */
export enum RefusalReason {
  ticket_invalid = 'ticket_invalid',
  ticket_expired = 'ticket_expired',
  ticket_of_another_player = 'ticket_of_another_player',
  already_counted = 'already_counted',
  voided = 'voided',
  illegal_move = 'illegal_move',
  game_unfinished = 'game_unfinished',
  too_fast = 'too_fast',
  too_many_games = 'too_many_games',
  too_many_games_today = 'too_many_games_today',
}
registerEnumType(RefusalReason, {
  name: 'RefusalReason',
  description:
    'Why the server refuses a game. `too_fast`, `too_many_games` and `too_many_games_today` are temporary; the others are permanent.',
  valuesMap: {
    ticket_invalid: { description: 'This server did not issue the ticket, or somebody changed it.' },
    ticket_expired: { description: 'The ticket is older than seven days.' },
    ticket_of_another_player: { description: 'The ticket belongs to another player.' },
    already_counted: { description: 'The ticket was already used for a game with other moves.' },
    voided: { description: 'An operator has voided this game after it was counted.' },
    illegal_move: { description: 'A square is not on the board, is already taken, or follows the end of the game.' },
    game_unfinished: { description: 'The squares do not finish the game.' },
    too_fast: {
      description: `The game took less time than the bot needs: ${BOT_MOVE_DELAY} ms for each of its moves.`,
    },
    too_many_games: {
      description: 'The player has finished too many games within one minute. Send this game again in a minute.',
    },
    too_many_games_today: {
      description:
        'The player has reached the limit of games for this UTC day. Send this game again from `countsFrom` on, before its ticket expires: it then counts for the later day.',
    },
  },
});

@ObjectType('GameRefused', {
  description: 'The server refuses the game. Nothing has changed.',
  implements: () => [RefusalType],
})
export class GameRefused implements RefusalType {
  @Field(() => RefusalReason, { description: 'The reason, for programs.' })
  reason!: RefusalReason;

  message!: string;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'With `too_many_games_today`, the time from which games count again. Otherwise null.',
  })
  countsFrom!: Date | null;
}

@ObjectType('GameCounted', { description: 'The server has counted the game, now or when the client sent it before.' })
export class GameCounted {
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
  @Field(() => [Int], { description: 'The squares of both sides in the order played, X first.' })
  moves!: number[];

  @Field(() => Int, {
    nullable: true,
    description: "The bot's answer to the last square. Null when that square has ended the game.",
  })
  botSquare!: number | null;

  @Field(() => Result, { nullable: true, description: 'How the game ended. Null while it goes on.' })
  result!: ResultName | null;
}

export const PlayBotMoveAnswer = createUnionType({
  name: 'PlayBotMoveAnswer',
  description: 'The game so far, or why the server does not play it.',
  types: () => [BotMoved, GameRefused] as const,
  resolveType: (answer: BotMoved | GameRefused) => ('reason' in answer ? GameRefused : BotMoved),
});

export const FinishGameAnswer = createUnionType({
  name: 'FinishGameAnswer',
  description: 'What the server did with a finished game.',
  types: () => [GameCounted, GameRefused] as const,
  resolveType: (answer: GameCounted | GameRefused) => ('reason' in answer ? GameRefused : GameCounted),
});
