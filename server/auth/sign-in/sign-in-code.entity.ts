import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The one-use code that the page exchanges for a session. */
@Entity('sign_in_codes')
export class SignInCode {
  @PrimaryColumn('bytea', { name: 'code_hash' })
  codeHash!: Buffer;

  /** The login that the code came from: a second code from the same login breaks this column's uniqueness. */
  @Column('bytea', { name: 'state_hash' })
  stateHash!: Buffer;

  @Column('uuid', { name: 'player_id' })
  playerId!: string;

  /** S256 of the verifier that the tab which started the login holds. */
  @Column('text', { name: 'code_challenge' })
  codeChallenge!: string;

  @Column('text', { name: 'return_to' })
  returnTo!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Set by the first exchange, whether it succeeded or not. */
  @Column('timestamptz', { name: 'spent_at', nullable: true })
  spentAt!: Date | null;

  /** The session that the exchange created: a replay of the code ends it. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;
}
