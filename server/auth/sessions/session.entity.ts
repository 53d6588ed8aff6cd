import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One signed-in browser. Live while `revokedAt` is null and `expiresAt` is ahead. */
@Entity('sessions')
export class Session {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'player_id' })
  playerId!: string;

  /** How often the refresh token was exchanged: the only part of it that is stored. */
  @Column('integer', { name: 'refresh_count' })
  refreshCount!: number;

  /** How many answers to the last exchange were given: each carries a copy of the current token with a number of its own. */
  @Column('integer', { name: 'refresh_answers' })
  refreshAnswers!: number;

  /** The number of the copy that made the last exchange; null where any copy will do. */
  @Column('integer', { name: 'refresh_used', nullable: true })
  refreshUsed!: number | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** The sign-in or the last exchange of the refresh token. */
  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt!: Date;

  /** The idle or the absolute end, whichever comes first. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
