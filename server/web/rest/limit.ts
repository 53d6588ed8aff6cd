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
    .meta({ shownAs: { type: 'integer', minimum: 1, maximum: MAX_LIMIT } })
    .default(DEFAULT_LIMIT),
});
