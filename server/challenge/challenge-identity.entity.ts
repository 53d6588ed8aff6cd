import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An identity that a player had on a day. It outlives the account until the day is over. */
@Entity('challenge_identities')
export class ChallengeIdentity {
  /** The UTC day, as `2026-01-31`. */
  @PrimaryColumn('date')
  day!: string;

  /** A keyed hash of issuer and subject. */
  @PrimaryColumn('bytea', { name: 'identity_hash' })
  identityHash!: Buffer;

  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  /** Whether the player started the challenge of that day. */
  @Column('boolean')
  started!: boolean;
}
