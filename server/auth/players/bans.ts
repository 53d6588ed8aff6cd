import { createHmac, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { EntityManager } from 'typeorm';
import { Keys } from '../../settings/keys.js';
import { Reading } from '../../base/observed.js';

const KEY_BYTES = 32;

/** An identity at a provider. */
interface IssuedSubject {
  readonly issuer: string;
  readonly subject: string;
}

/** Whether a secret opens the key of the bans. */
export const banKeys = new Reading<boolean>();

/** The key of the bans cannot be opened with any secret of AUTH_SECRET. */
export class BanKeyUnreadableError extends Error {
  override readonly name = 'BanKeyUnreadableError';

  constructor() {
    super(
      'The key of the bans is encrypted with a secret that AUTH_SECRET does not have. Add that secret (AUTH_SECRET=new,old) ' +
        'and run ttt ban-key reseal. If it is lost: ttt ban-key replace.',
    );
  }
}

/** The key, and whether the first secret of AUTH_SECRET opens it. */
interface OpenKey {
  readonly key: Buffer;
  readonly isCurrent: boolean;
  readonly sealed: string;
}

/**
 * Banned identities, as keyed hashes: they outlive the account. The key is random and stored encrypted, so that the bans
 * survive a new AUTH_SECRET. Only a command of an operator encrypts it again.
 */
@Injectable()
export class Bans {
  private readonly logger = new Logger('Bans');

  constructor(private readonly keys: Keys) {}

  /**
   * The banned player to whom the identity belonged. With a key that cannot be opened nobody is banned, because otherwise
   * no new player could sign in; the log says so.
   */
  async playerOf(identity: IssuedSubject, manager: EntityManager): Promise<string | undefined> {
    const opened = await this.openKey(manager).catch(ignoreUnreadable);
    if (opened === 'unreadable') this.logger.error({ event: 'ban_key_unreadable', during: 'sign_in' });
    if (!opened || opened === 'unreadable') return undefined;
    const [found] = await manager.query<{ playerId: string }[]>(
      'SELECT player_id AS "playerId" FROM bans WHERE identity_hash = $1',
      [hash(opened.key, identity)],
    );
    return found?.playerId;
  }

  /** Bans all identities that the player has now. */
  async add(playerId: string, manager: EntityManager): Promise<void> {
    const { key } = (await this.openKey(manager, 'FOR SHARE')) ?? (await this.createKey(manager));
    const identities = await manager.query<IssuedSubject[]>(
      'SELECT issuer, subject FROM identities WHERE player_id = $1',
      [playerId],
    );
    for (const identity of identities) {
      await manager.query(
        `INSERT INTO bans (identity_hash, player_id, created_at) VALUES ($1, $2, now())
         ON CONFLICT (identity_hash) DO UPDATE SET player_id = excluded.player_id`,
        [hash(key, identity), playerId],
      );
    }
  }

  /** @returns the number of identities that may sign in again */
  async remove(playerId: string, manager: EntityManager): Promise<number> {
    const [, removed] = await manager.query<[unknown, number]>('DELETE FROM bans WHERE player_id = $1', [playerId]);
    return removed;
  }

  /**
   * @param lock until the end of the transaction
   * @returns undefined before the first ban
   * @throws {BanKeyUnreadableError}
   */
  async openKey(manager: EntityManager, lock: '' | 'FOR SHARE' | 'FOR UPDATE' = ''): Promise<OpenKey | undefined> {
    const [row] = await manager.query<{ sealed: string }[]>(
      `SELECT sealed FROM sealed_keys WHERE purpose = 'ban' ${lock}`,
    );
    if (!row) return undefined;
    const { sealed } = row;
    for (const [index, secret] of this.keys.keysFor('ban').entries()) {
      const key = await unseal(sealed, secret);
      if (key) return { key, isCurrent: index === 0, sealed };
    }
    throw new BanKeyUnreadableError();
  }

  /**
   * Encrypts the key with the first secret of AUTH_SECRET.
   * @returns false when it is so already, and before the first ban
   * @throws {BanKeyUnreadableError}
   */
  async reseal(manager: EntityManager): Promise<boolean> {
    const opened = await this.openKey(manager);
    if (!opened || opened.isCurrent) return false;
    await manager.query(`UPDATE sealed_keys SET sealed = $1 WHERE purpose = 'ban' AND sealed = $2`, [
      await this.seal(opened.key),
      opened.sealed,
    ]);
    return true;
  }

  /**
   * Begins with a new key: bans the identities of banned players again, and forgets those of deleted accounts.
   * @param force also replaces a key that can be opened
   * @returns the number of forgotten identities; undefined when the key can be opened, and stays
   */
  async replaceKey(manager: EntityManager, force: boolean): Promise<number | undefined> {
    // A new ban waits for the new key.
    const opened = await this.openKey(manager, 'FOR UPDATE').catch(ignoreUnreadable);
    if (opened && opened !== 'unreadable' && !force) return undefined;
    const [{ forgotten }] = await manager.query<[{ forgotten: number }]>(
      `SELECT count(*)::integer AS forgotten FROM bans
       WHERE player_id NOT IN (SELECT id FROM players WHERE banned_at IS NOT NULL)`,
    );
    await manager.query('DELETE FROM bans');
    await manager.query(`DELETE FROM sealed_keys WHERE purpose = 'ban'`);
    const banned = await manager.query<{ id: string }[]>('SELECT id FROM players WHERE banned_at IS NOT NULL');
    for (const { id } of banned) await this.add(id, manager);
    return forgotten;
  }

  private async createKey(manager: EntityManager): Promise<OpenKey> {
    await manager.query(`INSERT INTO sealed_keys (purpose, sealed) VALUES ('ban', $1) ON CONFLICT DO NOTHING`, [
      await this.seal(randomBytes(KEY_BYTES)),
    ]);
    // Another command may have created it just now.
    return (await this.openKey(manager))!;
  }

  private seal(key: Buffer): Promise<string> {
    return new EncryptJWT({ key: key.toString('base64url') })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.keys.keysFor('ban')[0]);
  }
}

async function unseal(sealed: string, secret: Uint8Array): Promise<Buffer | undefined> {
  try {
    const { payload } = await jwtDecrypt<{ key: string }>(sealed, secret, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return Buffer.from(payload.key, 'base64url');
  } catch {
    return undefined;
  }
}

function hash(key: Buffer, { issuer, subject }: IssuedSubject): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([issuer, subject]))
    .digest();
}

function ignoreUnreadable(error: unknown): 'unreadable' {
  if (error instanceof BanKeyUnreadableError) return 'unreadable';
  throw error;
}
