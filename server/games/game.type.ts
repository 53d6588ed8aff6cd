import { Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { Mark as MarkName } from '../../game/board.js';
import type { Difficulty as DifficultyName } from '../../game/bot.js';
import type { Result as ResultName } from '../../game/rules.js';
import type { Game, Source } from '../counting/game.js';

// Nest's scalar has no address of its specification.
GraphQLISODateTime.specifiedByURL = 'https://scalars.graphql.org/andimarek/date-time.html';

/** `satisfies` makes the compiler reject a value that `game/` does not have, and the reverse. */
export const Difficulty = { easy: 'easy', medium: 'medium', hard: 'hard' } as const satisfies {
  [name in DifficultyName]: name;
};
registerEnumType(Difficulty, {
  name: 'Difficulty',
  description: 'How well the bot plays.',
  valuesMap: {
    easy: { description: 'The bot plays randomly.' },
    medium: { description: 'Half of the moves are smart: minimax, three moves deep.' },
    hard: { description: 'Unbeatable: minimax to the end.' },
  },
});

export const Result = { win: 'win', lose: 'lose', draw: 'draw' } as const satisfies { [name in ResultName]: name };
registerEnumType(Result, {
  name: 'Result',
  description: 'How a game ended for the player, who plays X.',
  valuesMap: {
    win: { description: 'Three X in a line.' },
    lose: { description: 'Three O in a line.' },
    draw: { description: 'A full board without a line.' },
  },
});

const GameSource = { verified: 'verified', reported: 'reported' } as const satisfies { [name in Source]: name };
registerEnumType(GameSource, {
  name: 'GameSource',
  description: 'How the server knows the result.',
  valuesMap: {
    verified: { description: 'The server has replayed the game from its seed and its moves.' },
    reported: { description: 'The client sent only the result, over REST. The operator can forbid this.' },
  },
});

const Mark = { X: 'X', O: 'O' } as const satisfies { [name in MarkName]: name };
registerEnumType(Mark, {
  name: 'Mark',
  description: 'The mark on a square.',
  valuesMap: { X: { description: 'The player, who moves first.' }, O: { description: 'The bot.' } },
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

  @Field({ description: 'Whether a program has sent it with a personal token.' })
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
  })
  moves!: MoveType[] | null;
}

/** The only mapper from a row to the API's type. */
export function toGameType(game: Game): GameType {
  const { id, difficulty, result, points, bonus, finishedAt, source, byProgram, seed } = game;
  const moves = game.moves?.map((square, at) => ({ mark: at % 2 === 0 ? Mark.X : Mark.O, square })) ?? null;
  return { id, difficulty, result, points, bonus, finishedAt, source, byProgram, seed, moves };
}
