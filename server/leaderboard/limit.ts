import { z } from 'zod';

export const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
const sentence = { error: `limit must be a whole number from 1 to ${MAX_LIMIT}` };

/** How many entries are asked for. */
export const limit = z.int(sentence).min(1, sentence).max(MAX_LIMIT, sentence);

/** The same as digits in a query string, in which other keys are no concern of ours. */
export const limitQuery = z.object({
  limit: z
    .string(sentence)
    .regex(/^\d{1,3}$/, sentence)
    .transform(Number)
    .pipe(limit)
    .default(DEFAULT_LIMIT),
});
