import { z } from 'zod';

/** The greatest number of neighbours on one side of a player. */
export const MAX_NEIGHBOURS = 5;

const count = (name: string) => {
  const message = { error: `${name} must be a whole number from 0 to ${MAX_NEIGHBOURS}` };
  return z.int(message).min(0, message).max(MAX_NEIGHBOURS, message);
};

/** How many neighbours to return above and below a player. */
export const neighbours = z.object({ before: count('before'), after: count('after') });
