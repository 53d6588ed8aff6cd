import { createUnionType, Field, GraphQLISODateTime, ObjectType, registerEnumType } from '@nestjs/graphql';
import { PlayerStatsType } from '../stats/player-stats.type.js';
import { GameType } from './game.type.js';

/** Why a finished game is not counted. All but the last three are for good: sending it again cannot succeed. */
export enum RefusalReason {
  ticket_invalid = 'ticket_invalid',
  ticket_expired = 'ticket_expired',
  ticket_of_another_player = 'ticket_of_another_player',
  already_counted = 'already_counted',
  illegal_move = 'illegal_move',
  game_unfinished = 'game_unfinished',
  too_fast = 'too_fast',
  too_many_games = 'too_many_games',
  too_many_games_today = 'too_many_games_today',
}
registerEnumType(RefusalReason, {
  name: 'RefusalReason',
  description:
    'Why a game is not counted. `too_fast`, `too_many_games` and `too_many_games_today` pass with time; the others are for good.',
  valuesMap: {
    ticket_invalid: { description: 'The ticket was not made by this server, or it was changed.' },
    ticket_expired: { description: 'The ticket is older than seven days.' },
    ticket_of_another_player: { description: 'The ticket was made for somebody else.' },
    already_counted: { description: 'The ticket has been used already, for a game with other moves.' },
    illegal_move: { description: 'A square is not on the board, is taken, or comes after the end of the game.' },
    game_unfinished: { description: 'The squares do not finish the game.' },
    too_fast: { description: 'The game took less time than the bot needs for its moves: 500 ms each.' },
    too_many_games: { description: 'More games in a minute than are counted for one player.' },
    too_many_games_today: {
      description:
        'More games in a UTC day than are counted for one player. Sent again from `countsFrom` on, the game counts as one of that day, as long as its ticket is good.',
    },
  },
});

@ObjectType('GameRefused', { description: 'The game is not counted, and nothing has changed.' })
export class GameRefused {
  @Field(() => RefusalReason, { description: 'The reason, for programs.' })
  reason!: RefusalReason;

  @Field({ description: 'The reason, for people.' })
  message!: string;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'With `too_many_games_today`: from when games count again. Otherwise null.',
  })
  countsFrom!: Date | null;
}

@ObjectType('GameCounted', { description: 'The game is counted: now, or when it was sent before.' })
export class GameCounted {
  @Field(() => GameType, { description: 'The game; the same however often it is sent.' })
  game!: GameType;

  @Field(() => PlayerStatsType, { description: "The player's stats as they are now." })
  stats!: PlayerStatsType;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      "From when the player's next game counts, where this was the last one of the day that does. Null where the next one counts.",
  })
  countsFrom!: Date | null;
}

export const FinishGameAnswer = createUnionType({
  name: 'FinishGameAnswer',
  description: 'What became of a finished game.',
  types: () => [GameCounted, GameRefused] as const,
  resolveType: (answer: GameCounted | GameRefused) => ('reason' in answer ? GameRefused : GameCounted),
});
