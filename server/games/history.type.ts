import { ArgsType, Field, Int } from '@nestjs/graphql';
import { z } from 'zod';
import { connectionType } from '../web/answers/page-info.type.js';
import { numberBetween, parseInput } from '../web/input.js';
import { GameType } from './game.type.js';

export const GameConnection = connectionType('Game', GameType, {
  page: "A page of a player's games",
  edges: 'The games, newest first.',
});
export type GameConnection = InstanceType<typeof GameConnection>;

/** The place of a game in a player's history: by its time, then its number. */
export interface GamePlace {
  /** The time in microseconds, as exact as the database has it. */
  readonly micros: number;
  readonly number: number;
}

const CURSOR = /^(\d{1,16})\.(\d{1,9})$/;

export function cursorOf({ micros, number }: GamePlace): string {
  return Buffer.from(`${micros}.${number}`).toString('base64url');
}

/** @returns undefined when the text is no cursor */
function readCursor(text: string): GamePlace | undefined {
  const [, micros, number] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return number === undefined ? undefined : { micros: Number(micros), number: Number(number) };
}

@ArgsType()
export class GamePageArgs {
  @Field(() => Int, { defaultValue: 20, description: 'How many games, 1 to 50.' })
  first!: number;

  @Field(() => String, { nullable: true, description: 'The cursor of the last game that is known.' })
  after?: string | null;
}

const shape = z.object({
  first: numberBetween('first', 1, 50),
  after: z
    .string()
    .transform(readCursor)
    .pipe(z.custom<GamePlace>(Boolean, 'after must be the cursor of a game'))
    .nullish(),
});

export const readGamePage = (given: GamePageArgs) => parseInput(shape, given);
