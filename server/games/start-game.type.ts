import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import type { Difficulty as DifficultyName } from '../../game/bot.js';
import { Difficulty } from './game.type.js';

@ObjectType('Ticket', {
  description:
    "A ticket for one game; `counts` says whether there is room for it today. The bot's moves follow from difficulty and seed; the player's are X.",
})
export class TicketType {
  @Field(() => ID, { description: 'The id that the game will have.' })
  gameId!: string;

  @Field(() => Difficulty, { description: 'How well the bot plays.' })
  difficulty!: DifficultyName;

  @Field({ description: "What the bot's random choices follow from: 32 hexadecimal digits." })
  seed!: string;

  @Field({ description: 'What `finishGame` wants. Signed by the server, good for this player and this game only.' })
  token!: string;

  @Field(() => GraphQLISODateTime, { description: 'The game must be sent before this time.' })
  expiresAt!: Date;

  @Field({
    description:
      'Whether the game counts, as things are. False: as many of the player’s games have been counted today (UTC) as a day may have, and this one is practice.',
  })
  counts!: boolean;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Where the game does not count: from when games count again, the beginning of the next UTC day.',
  })
  countsFrom!: Date | null;
}
