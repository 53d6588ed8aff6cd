import { z } from 'zod';
import { readCursor } from './game-cursor.js';

const firstMessage = { error: 'first must be a whole number from 1 to 50' };
/** The arguments of a page of games. */
export const pageOfGames = z.object({
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
