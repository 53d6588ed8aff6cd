import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { identitiesOf } from '../auth/players/identities.js';
import { Clock } from '../base/clock.js';
import { utcDay } from '../counting/day.js';
import { Keys } from '../settings/keys.js';
import { ChallengeIdentity } from './challenge-identity.entity.js';
import type { Statements } from './unsettled-attempts.js';

/** The clock of another server may be behind. */
const KEPT_AFTER_THE_DAY = 60 * 60_000;

/**
 * The rows of all accounts of one person: those that had an identity in common on the day, directly or through others. They are
 * locked in one order, so that of two such accounts the second start waits for the first.
 */
const OF_ONE_PERSON = `
  WITH RECURSIVE person AS (
    SELECT identity_hash, player_id FROM challenge_identities WHERE day = $1 AND player_id = $2
    UNION
    SELECT other.identity_hash, other.player_id FROM person JOIN challenge_identities other
      ON other.day = $1 AND (other.identity_hash = person.identity_hash OR other.player_id = person.player_id)
  )
  SELECT player_id AS "playerId", started FROM challenge_identities
  WHERE day = $1 AND (identity_hash, player_id) IN (SELECT identity_hash, player_id FROM person)
  ORDER BY identity_hash, player_id FOR UPDATE`;

const REMOVE_EARLIER = 'DELETE FROM challenge_identities WHERE day < $1';

/**
 * Remembers who started the challenge of a day, so that a person who deletes the account or unlinks an identity gets no second
 * attempt with a new account.
 */
@Injectable()
export class ChallengeIdentities {
  constructor(
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /**
   * Notes that the player starts the challenge of a day. A repeated start changes nothing.
   * @returns false when another account of the same person started it
   */
  async start(transaction: EntityManager, playerId: string, day: string): Promise<boolean> {
    await this.note(transaction, playerId, day);
    const rows = await transaction.query<Pick<ChallengeIdentity, 'playerId' | 'started'>[]>(OF_ONE_PERSON, [
      day,
      playerId,
    ]);
    if (rows.some((row) => row.started && row.playerId !== playerId)) return false;
    await transaction.getRepository(ChallengeIdentity).update({ day, playerId }, { started: true });
    return true;
  }

  /** Notes today's identities of a player before one of them leaves the account, or the account is deleted. */
  async keep(transaction: EntityManager, playerId: string): Promise<void> {
    await this.note(transaction, playerId, utcDay(this.clock.now()));
  }

  /** Forgets the identities of days that are over. */
  async removeEarlier(database: Statements): Promise<void> {
    await database.query(REMOVE_EARLIER, [utcDay(new Date(this.clock.now().getTime() - KEPT_AFTER_THE_DAY))]);
  }

  /** One row for each identity and key, so that a new secret hides nothing. */
  private async note(transaction: EntityManager, playerId: string, day: string): Promise<void> {
    const identities = await identitiesOf(transaction, playerId);
    const values = identities.flatMap(({ issuer, subject }) =>
      this.keys.keysFor('challenge-identity').map((key) => ({
        day,
        playerId,
        // A NUL separates the two texts, because no text in the database can have one.
        identityHash: createHmac('sha256', key).update(`${issuer}\0${subject}`).digest(),
        started: false,
      })),
    );
    if (values.length === 0) return;
    await transaction
      .getRepository(ChallengeIdentity)
      .createQueryBuilder()
      .insert()
      .values(values)
      .orIgnore()
      .updateEntity(false)
      .execute();
  }
}
