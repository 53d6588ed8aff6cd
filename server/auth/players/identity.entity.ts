import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a provider calls a player. Never the email address: that can change hands. */
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
