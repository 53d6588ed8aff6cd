import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One change of a moderator or an operator. A trigger refuses to change or delete it. */
@Entity('audit')
@Index('audit_player_id', ['playerId', 'id'])
export class AuditEntry {
  /** A bigint arrives as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly id!: string;

  @Column('timestamptz')
  readonly at!: Date;

  @Column('text')
  readonly operator!: string;

  /** Such as `player.ban`. */
  @Column('text')
  readonly action!: string;

  /** Null where the change is not about one player. */
  @Column('uuid', { name: 'player_id', nullable: true })
  readonly playerId!: string | null;

  /** What the change was about, if it is not the player alone. */
  @Column('text', { nullable: true })
  readonly target!: string | null;

  @Column('text')
  readonly reason!: string;

  @Column('jsonb', { nullable: true })
  readonly before!: object | null;

  @Column('jsonb', { nullable: true })
  readonly after!: object | null;
}
