import type { DataSource } from 'typeorm';
import type { Bans } from '../../auth/players/bans.js';
import { type Authorization, writeAudit } from './audit.js';
import { type Decision, ModerationError } from './moderation.js';

/** Encrypts the key of the bans with the first secret of AUTH_SECRET, so that the others can be removed. */
export function resealBanKey(database: DataSource, bans: Bans, authorization: Authorization): Promise<Decision> {
  return database.transaction(async (transaction) => {
    if (!(await bans.reseal(transaction))) {
      return { changed: false, said: 'No older secret of AUTH_SECRET is needed for the key of the bans.' };
    }
    await writeAudit(transaction, authorization, { action: 'ban-key.reseal' });
    return { changed: true, said: 'The first secret of AUTH_SECRET opens the key of the bans now.' };
  });
}

/**
 * For a lost secret: the bans of existing accounts stay, those of deleted ones end.
 * @throws {ModerationError} when the secret is not lost, without `force`
 */
export function replaceBanKey(
  database: DataSource,
  bans: Bans,
  authorization: Authorization,
  { force = false }: { force?: boolean },
): Promise<Decision> {
  return database.transaction(async (transaction) => {
    const forgotten = await bans.replaceKey(transaction, force);
    if (forgotten === undefined) {
      throw new ModerationError(
        'AUTH_SECRET opens the key of the bans: ttt ban-key reseal encrypts it again. A new key would end the bans of ' +
          'deleted accounts; --force makes one.',
      );
    }
    await writeAudit(transaction, authorization, { action: 'ban-key.replace', after: { forgotten } });
    return {
      changed: true,
      said: `The bans have a new key. ${forgotten} banned identities of deleted accounts may sign in again.`,
    };
  });
}
