import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A one-use code that the page exchanges for a session, or with which a session links an identity. */
@Entity('sign_in_codes')
export class SignInCode {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  @PrimaryColumn('bytea', { name: 'code_hash' })
  codeHash!: Buffer;

  /** The sign-in that issued the code. It is unique for a player, so that a sign-in issues one code to each. */
  @Column('bytea', { name: 'state_hash' })
  stateHash!: Buffer;

  /** S256 of the verifier in the tab that started the sign-in, or of the session that links. */
  @Column('text', { name: 'code_challenge' })
  codeChallenge!: string;

  @Column('text', { name: 'return_to' })
  returnTo!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Set by the first exchange, also by one that fails. */
  @Column('timestamptz', { name: 'spent_at', nullable: true })
  spentAt!: Date | null;

  /** The session of the exchange. A replay of the code ends it. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;
}
