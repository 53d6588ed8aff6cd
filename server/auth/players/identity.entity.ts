import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The provider's identifier of a player. Never the email address, because its owner can change. */
@Entity('identities')
export class Identity {
  @PrimaryColumn('text')
  issuer!: string;

  @PrimaryColumn('text')
  subject!: string;

  @Column('uuid', { name: 'player_id' })
  playerId!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

/** A banned identity. It outlives the account. */
@Entity('bans')
export class Ban {
  /** Of issuer and subject. */
  @PrimaryColumn('bytea', { name: 'identity_hash' })
  identityHash!: Buffer;

  @Column('uuid', { name: 'player_id' })
  playerId!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When it ends by itself. Null for a ban without an end. */
  @Column('timestamptz', { nullable: true })
  until!: Date | null;
}
