import { z } from 'zod';
import { isUuid } from '../base/uuid.js';

const IDENTITY = /^(google|github):([1-9]\d{0,29})$/;
const ADVICE =
  'an entry must be the id of a player, or google: or github: and the number of the account there (ttt player show)';

/** Players by id, and by identity: both providers number their accounts. Each wrong entry gets a sentence of its own. */
export const moderators = z
  .string()
  .default('')
  .transform((value, context) => {
    const entries = value
      .toLowerCase()
      .split(',')
      .map((entry) => entry.trim());
    for (const entry of entries.filter((one) => one && !isUuid(one) && !IDENTITY.test(one))) {
      context.addIssue({ code: 'custom', message: `MODERATORS has the entry "${entry}": ${ADVICE}` });
    }
    const identities = entries.flatMap((entry) => {
      const [, provider, subject] = IDENTITY.exec(entry) ?? [];
      return subject ? [{ provider: provider as 'google' | 'github', subject }] : [];
    });
    return { ids: entries.filter(isUuid), identities };
  });
