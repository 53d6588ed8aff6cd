import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import type { Difficulty as DifficultyName } from '../../game/bot.js';
import { Difficulty } from './game.type.js';

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
