import { z } from 'zod';

export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 100;
const messageFor = (name: string) => ({ error: `${name} must be a whole number from 1 to ${MAX_LIMIT}` });
const message = messageFor('limit');

/** The number of entries to return. */
export function entriesAs(name: string) {
  return z.int(messageFor(name)).min(1, messageFor(name)).max(MAX_LIMIT, messageFor(name));
}

export const limit = entriesAs('limit');

/** The same limit in a query string. Unknown keys are ignored. */
export const limitQuery = z.object({
  limit: z
    .string(message)
    .regex(/^\d{1,3}$/, message)
    .transform(Number)
    .pipe(limit)
    .default(DEFAULT_LIMIT),
});
