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
export function readCursor(text: string): GamePlace | undefined {
  const [, micros, number] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return number === undefined ? undefined : { micros: Number(micros), number: Number(number) };
}
