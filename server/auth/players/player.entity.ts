import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ProviderName } from './provider-name.js';

/** Somebody who has signed in: the profile as the provider gave it at the last sign-in. */
@Entity('players')
export class Player {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Verified by the provider; null where it gave none. */
  @Column('text', { nullable: true })
  email!: string | null;

  /** The provider's picture, only from its own hosts; null stands for the generated avatar. */
  @Column('text', { nullable: true })
  picture!: string | null;

  @Column('text')
  provider!: ProviderName;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
