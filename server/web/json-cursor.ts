import { z } from 'zod';

/** Where a page ends: a place in a list. Clients must not read it. */
export const jsonCursorOf = (place: readonly unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');

/** @param place all that decides a place. So a page goes on at the same place while the list changes */
export function jsonCursor<Place>(place: z.ZodType<Place>, error: string) {
  const isPlace = (value: unknown) => place.safeParse(value).success;
  return z.string(error).max(600, error).transform(readPlace).pipe(z.custom<Place>(isPlace, error));
}

function readPlace(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
