import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The provider's identifier of a player. Never the email address, because its owner can change. */
@Entity('identities')
export class Identity {
  @PrimaryColumn('text')
  issuer!: string;

  @PrimaryColumn('text')
  subject!: string;

  @Column('uuid', { name: 'player_id' })
  @Index('identities_player_id')
  playerId!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
