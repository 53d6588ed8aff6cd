import { z } from 'zod';

export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 100;
const message = { error: `limit must be a whole number from 1 to ${MAX_LIMIT}` };

/** The number of entries to return. */
export const limit = z.int(message).min(1, message).max(MAX_LIMIT, message);

/** The same limit in a query string. Unknown keys are ignored. */
export const limitQuery = z.object({
  limit: z
    .string(message)
    .regex(/^\d{1,3}$/, message)
    .transform(Number)
    .pipe(limit)
    .default(DEFAULT_LIMIT),
});

/** The greatest number of neighbours on one side of a player. */
export const MAX_NEIGHBOURS = 5;

const count = (name: string) => {
  const message = { error: `${name} must be a whole number from 0 to ${MAX_NEIGHBOURS}` };
  return z.int(message).min(0, message).max(MAX_NEIGHBOURS, message);
};

/** How many neighbours to return above and below a player. */
export const neighbours = z.object({ before: count('before'), after: count('after') });
