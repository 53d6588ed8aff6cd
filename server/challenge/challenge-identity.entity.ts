import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An identity that started the challenge of a day, or left an account on it. It outlives the account until the day is over. */
@Entity('challenge_identities')
@Index('challenge_identities_person_id', ['personId', 'day'])
export class ChallengeIdentity {
  /** The UTC day, as `2026-01-31`. */
  @PrimaryColumn('date')
  day!: string;

  /** A keyed hash of issuer and subject. */
  @PrimaryColumn('bytea', { name: 'identity_hash' })
  identityHash!: Buffer;

  /** Identities that belonged to one account on that day have the same. It is the id of one of their players. */
  @Column('uuid', { name: 'person_id' })
  personId!: string;

  /** The player with whom the person started the challenge. */
  @Column('uuid', { name: 'started_by', nullable: true })
  startedBy!: string | null;
}
