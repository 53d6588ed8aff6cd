import { ArgsType, Field, Int } from '@nestjs/graphql';
import { z } from 'zod';
import { parseInput } from '../../web/parse-input.js';
import { type GamePlace, readCursor } from './game-cursor.js';

/** Which games of a player to read. */
@ArgsType()
export class GamePageArgs {
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'How many games, 1 to 50.' })
  first!: number;

  @Field(() => String, { nullable: true, description: 'The cursor of the last game that is known.' })
  after?: string | null;
}

const firstMessage = { error: 'first must be a whole number from 1 to 50' };
const shape = z.object({
  first: z.int(firstMessage).min(1, firstMessage).max(50, firstMessage),
  after: z
    .string()
    .nullish()
    .transform((text, context) => {
      const place = text == null ? undefined : readCursor(text);
      if (text == null || place) return place;
      context.addIssue({ code: 'custom', message: 'after must be the cursor of a game' });
      return z.NEVER;
    }),
});

export const readGamePage = (given: GamePageArgs): { first: number; after: GamePlace | undefined } =>
  parseInput(shape, given);
