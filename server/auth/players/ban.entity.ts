import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A banned identity. It outlives the account. */
@Entity('bans')
export class Ban {
  /** The hash of issuer and subject. */
  @PrimaryColumn('bytea', { name: 'identity_hash' })
  identityHash!: Buffer;

  @Column('uuid', { name: 'player_id' })
  @Index('bans_player_id')
  playerId!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When it ends by itself. Null for a ban without an end. */
  @Column('timestamptz', { nullable: true })
  @Index('bans_until', { where: 'until IS NOT NULL' })
  until!: Date | null;
}
