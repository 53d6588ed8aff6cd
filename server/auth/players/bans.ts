import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { EntityManager } from 'typeorm';
import { Keys } from '../../keys/keys.js';

const KEY_BYTES = 32;

/** An identity at a provider. */
interface IssuedSubject {
  readonly issuer: string;
  readonly subject: string;
}

/** The key of the bans cannot be opened with any secret of AUTH_SECRET. */
export class BanKeyUnreadableError extends Error {
  override readonly name = 'BanKeyUnreadableError';

  constructor() {
    super(
      'The key of the bans is encrypted with a secret that AUTH_SECRET does not have. Run this command once with ' +
        'AUTH_SECRET=new,old: it encrypts the key with the new secret.',
    );
  }
}

/**
 * Banned identities, as keyed hashes: they outlive the account. The key is random and stored encrypted, so that the bans
 * survive a new AUTH_SECRET.
 */
@Injectable()
export class Bans {
  constructor(private readonly keys: Keys) {}

  /** Whether the identity belonged to a banned player. A key that cannot be opened bans nobody. */
  async includes(identity: IssuedSubject, manager: EntityManager): Promise<boolean> {
    const key = await this.openKey(manager).catch(ignoreUnreadable);
    if (!key) return false;
    const found = await manager.query<unknown[]>('SELECT 1 FROM bans WHERE identity_hash = $1', [hash(key, identity)]);
    return found.length > 0;
  }

  /** Bans all identities that the player has now. */
  async add(playerId: string, manager: EntityManager): Promise<void> {
    const key = (await this.openKey(manager)) ?? (await this.createKey(manager));
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
   * Opens the key, and encrypts it with the first secret if it was encrypted with another one.
   * @returns undefined before the first ban
   * @throws {BanKeyUnreadableError}
   */
  async openKey(manager: EntityManager): Promise<Buffer | undefined> {
    const [row] = await manager.query<{ sealed: string }[]>(`SELECT sealed FROM sealed_keys WHERE purpose = 'ban'`);
    if (!row) return undefined;
    for (const [index, secret] of this.keys.keysFor('ban').entries()) {
      const key = await unseal(row.sealed, secret);
      if (!key) continue;
      if (index > 0) {
        await manager.query(`UPDATE sealed_keys SET sealed = $1 WHERE purpose = 'ban' AND sealed = $2`, [
          await this.seal(key),
          row.sealed,
        ]);
      }
      return key;
    }
    throw new BanKeyUnreadableError();
  }

  private async createKey(manager: EntityManager): Promise<Buffer> {
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

function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof BanKeyUnreadableError)) throw error;
}
