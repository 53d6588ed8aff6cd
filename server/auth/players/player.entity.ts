import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import type { PublicProvider } from './profile.js';

/** The profile of a player, from the provider's last sign-in, and the decisions about the player. */
@Entity('players')
@Index('players_created_at', ['createdAt', 'id'])
@Index('players_name', { synchronize: false })
export class Player {
  @PrimaryColumn('uuid')
  @Generated('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** The provider's name behind a name that the player has chosen. Null for others. */
  @Column('text', { name: 'provider_name', nullable: true })
  providerName!: string | null;

  /** Verified by the provider. Null when it gave none. */
  @Column('text', { nullable: true })
  email!: string | null;

  /** The provider's picture, only from its own hosts. Null means the generated avatar. */
  @Column('text', { nullable: true })
  picture!: string | null;

  @Column('text')
  provider!: PublicProvider;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** The last sign-in at a provider. */
  @Column('timestamptz', { name: 'signed_in_at', default: () => 'now()' })
  @Index('players_signed_in_at')
  signedInAt!: Date;

  /** When a decision replaced the name, which the provider's name does not overwrite since. */
  @Column('timestamptz', { name: 'renamed_at', nullable: true })
  renamedAt!: Date | null;

  /** When a decision took the player off the boards. */
  @Column('timestamptz', { name: 'hidden_at', nullable: true })
  hiddenAt!: Date | null;

  @Column('timestamptz', { name: 'banned_at', nullable: true })
  bannedAt!: Date | null;

  /** When the ban ends by itself. Null for a ban without an end. */
  @Column('timestamptz', { name: 'banned_until', nullable: true })
  bannedUntil!: Date | null;

  @Column('boolean', { name: 'page_open', default: true })
  pageOpen!: boolean;
}
