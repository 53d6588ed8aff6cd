import { z } from 'zod';
import { isUuid } from '../base/uuid.js';

/** A player who moderates: by id, or by an identity. Both providers number their accounts. */
type Moderator = { readonly playerId: string } | { readonly provider: 'google' | 'github'; readonly subject: string };

const IDENTITY = /^(google|github):(\d{1,30})$/;

/** A comma-separated list. Each wrong entry gets a sentence of its own. */
export const moderators = z
  .string()
  .transform((value, context) =>
    value.split(',').flatMap((part): Moderator[] => {
      const entry = part.trim();
      if (!entry) return [];
      const [, provider, subject] = IDENTITY.exec(entry.toLowerCase()) ?? [];
      if (isUuid(entry)) return [{ playerId: entry.toLowerCase() }];
      if (subject) return [{ provider: provider as 'google' | 'github', subject }];
      context.addIssue({
        code: 'custom',
        message: `MODERATORS has the entry "${entry}": an entry must be the id of a player, or google: or github: and the number of the account there (ttt player show)`,
      });
      return [];
    }),
  )
  .default([]);
