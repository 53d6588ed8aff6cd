import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sign-ins of a network in the last minute, with the columns that rate-limiter-flexible asks for. */
@Entity('sign_in_tries')
export class SignInTry {
  /** A keyed hash of an address, never the address. */
  @PrimaryColumn('varchar', { length: 255 })
  key!: string;

  @Column('integer', { default: 0 })
  points!: number;

  /** In milliseconds since 1970. A bigint arrives as text. */
  @Column('bigint', { nullable: true })
  expire!: string | null;
}
