import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The seeds of one day. */
@Entity('challenge_days')
export class ChallengeDay {
  /** The UTC day, as `2026-01-31`. */
  @PrimaryColumn('date')
  day!: string;

  /** One for each game, in the order of the games. */
  @Column('text', { array: true })
  seeds!: string[];
}
