import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An identity that has left a player, because the account was deleted or it was unlinked. A decision waits here for its next sign-in. */
@Entity('left_identities')
export class LeftIdentity {
  /** The hash of issuer and subject, as in bans. */
  @PrimaryColumn('bytea', { name: 'identity_hash' })
  identityHash!: Buffer;

  /** The player whom it has left. */
  @PrimaryColumn('uuid', { name: 'player_id' })
  @Index('left_identities_player_id')
  playerId!: string;

  @Column('timestamptz', { name: 'left_at' })
  leftAt!: Date;

  @Column('boolean')
  hidden!: boolean;

  /** The name of a decision. */
  @Column('text', { nullable: true })
  name!: string | null;

  /** The player who has the identity now. */
  @Column('uuid', { name: 'returned_as', nullable: true })
  returnedAs!: string | null;
}
