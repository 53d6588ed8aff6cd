import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from './provider-name.js';

/** The profile of a player, from the provider's last sign-in. */
@Entity('players')
export class Player {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Verified by the provider. Null when it gave none. */
  @Column('text', { nullable: true })
  email!: string | null;

  /** The provider's picture, only from its own hosts. Null means the generated avatar. */
  @Column('text', { nullable: true })
  picture!: string | null;

  @Column('text')
  provider!: ProviderName;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
