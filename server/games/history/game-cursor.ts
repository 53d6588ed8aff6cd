/** The place of a game in a player's history: by its time, then its number, then the id under which it is stored. */
export interface GamePlace {
  /** The time in microseconds, as exact as the database has it. */
  readonly micros: number;
  readonly number: number;
  readonly playerId: string;
}

const CURSOR = /^(\d{1,16})\.(\d{1,9})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

export function cursorOf({ micros, number, playerId }: GamePlace): string {
  return Buffer.from(`${micros}.${number}.${playerId}`).toString('base64url');
}

/** @returns undefined when the text is no cursor */
export function readCursor(text: string): GamePlace | undefined {
  const [, micros, number, playerId] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return playerId === undefined ? undefined : { micros: Number(micros), number: Number(number), playerId };
}

/** The order of the history. */
export function newestFirst(one: GamePlace, other: GamePlace): number {
  const byTime = other.micros - one.micros || other.number - one.number;
  return byTime || (one.playerId < other.playerId ? 1 : -1);
}
