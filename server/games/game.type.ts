import { Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { Difficulty as DifficultyName } from '../../game/bot.js';
import type { Result as ResultName } from '../../game/rules.js';

/** The API's values are the words that the rules and the REST contract use. */
export const Difficulty = { easy: 'easy', medium: 'medium', hard: 'hard' } as const satisfies {
  [name in DifficultyName]: name;
};
registerEnumType(Difficulty, {
  name: 'Difficulty',
  description: 'How well the bot plays.',
  valuesMap: {
    easy: { description: 'The bot plays randomly.' },
    medium: { description: 'Half of the moves are smart: minimax, three moves ahead.' },
    hard: { description: 'Unbeatable: minimax to the end.' },
  },
});

export const Result = { win: 'win', lose: 'lose', draw: 'draw' } as const satisfies { [name in ResultName]: name };
registerEnumType(Result, {
  name: 'Result',
  description: 'How a game ended, seen from the player, who plays X.',
  valuesMap: {
    win: { description: 'Three X in a line.' },
    lose: { description: 'Three O in a line.' },
    draw: { description: 'A full board without a line.' },
  },
});

@ObjectType('Game', { description: 'A finished game that has been counted.' })
export class GameType {
  @Field(() => ID, { description: 'The id that the ticket gave the game.' })
  id!: string;

  @Field(() => Difficulty, { description: 'How well the bot played.' })
  difficulty!: DifficultyName;

  @Field(() => Result, { description: 'How it ended for the player.' })
  result!: ResultName;

  @Field(() => Int, { description: 'What it added to the score: 1 or 2 for a win, -1 for a loss, 0 for a draw.' })
  points!: number;

  @Field({ description: 'Whether it was the third win in a row, which gives one point more.' })
  bonus!: boolean;

  @Field(() => GraphQLISODateTime, { description: 'When the server counted it.' })
  finishedAt!: Date;
}
