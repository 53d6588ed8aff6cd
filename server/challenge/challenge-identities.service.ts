import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThan } from 'typeorm';
import { identitiesOf, identityText, type IssuedSubject } from '../auth/players/identities.repository.js';
import { Clock, utcDay } from '../base/clock.js';
import { timeOf } from '../database/database-clock.service.js';
import { Keys } from '../settings/keys.js';
import { ChallengeIdentity } from './challenge-identity.entity.js';

/** The clock of another server may be behind. */
const KEPT_AFTER_THE_DAY = 60 * 60_000;

/** All rows of the persons with these identities. They are locked in one order, so that a second start waits for the first. */
const OF_PERSON = `
  SELECT person_id AS "personId", started_by AS "startedBy" FROM challenge_identities
  WHERE day = $1 AND person_id IN (SELECT person_id FROM challenge_identities WHERE day = $1 AND identity_hash = ANY ($2))
  ORDER BY identity_hash FOR UPDATE`;

/** All accounts with identities in common on the day, directly or through others. */
type Person = Pick<ChallengeIdentity, 'personId' | 'startedBy'>;

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
   * @returns why the player may not start it
   */
  async start(
    transaction: EntityManager,
    playerId: string,
    day: string,
  ): Promise<'not_today' | 'other_account_played' | undefined> {
    if (day !== (await today(transaction))) return 'not_today';
    const person = await this.noteIdentities(transaction, playerId, day);
    if (person.startedBy !== null && person.startedBy !== playerId) return 'other_account_played';
    await transaction
      .getRepository(ChallengeIdentity)
      .update({ day, personId: person.personId }, { startedBy: playerId });
    return undefined;
  }

  /** Notes today's identities of a player before one of them leaves the account, or the account is deleted. */
  async keep(transaction: EntityManager, playerId: string): Promise<void> {
    await this.noteIdentities(transaction, playerId, await today(transaction));
  }

  /** Forgets the identities of days that are over. */
  async removeEarlier(manager: EntityManager): Promise<void> {
    const kept = utcDay(new Date(this.clock.now().getTime() - KEPT_AFTER_THE_DAY));
    await manager.getRepository(ChallengeIdentity).delete({ day: LessThan(kept) });
  }

  /** Makes all identities of a player those of one person. One identity has a row for each key, so that a new secret hides nothing. */
  private async noteIdentities(transaction: EntityManager, playerId: string, day: string): Promise<Person> {
    const repository = transaction.getRepository(ChallengeIdentity);
    const hashes = (await identitiesOf(transaction, playerId)).flatMap((identity) => this.hashesOf(identity));
    const person: Person = { personId: playerId, startedBy: null };
    if (hashes.length === 0) return person;
    const values = hashes.map((identityHash) => ({ day, identityHash, ...person }));
    await repository.createQueryBuilder().insert().values(values).orIgnore().updateEntity(false).execute();
    const rows = await transaction.query<Person[]>(OF_PERSON, [day, hashes]);
    const known: Person = {
      personId: rows[0]?.personId ?? playerId,
      startedBy: rows.find(({ startedBy }) => startedBy !== null)?.startedBy ?? null,
    };
    const others = rows.filter((row) => row.personId !== known.personId || row.startedBy !== known.startedBy);
    for (const personId of new Set(others.map((row) => row.personId)))
      await repository.update({ day, personId }, known);
    return known;
  }

  private hashesOf(identity: IssuedSubject): Buffer[] {
    const text = identityText(identity);
    return this.keys.keysFor('challenge-identity').map((key) => createHmac('sha256', key).update(text).digest());
  }
}

/** By the clock of the database: a start and an unlinking on two servers must not be on two days. */
const today = async (transaction: EntityManager) => utcDay(new Date(await timeOf(transaction)));
