import { Column, Entity, PrimaryColumn } from 'typeorm';

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
}
