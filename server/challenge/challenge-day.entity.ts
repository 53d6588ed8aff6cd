import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The seeds and the position of one day. */
@Entity('challenge_days')
export class ChallengeDay {
  /** The UTC day, as `2026-01-31`. */
  @PrimaryColumn('date')
  day!: string;

  /** One for each game, in the order of the games. */
  @Column('text', { array: true })
  seeds!: string[];

  /** The squares of both sides in order, one digit each. */
  @Column('text', { nullable: true })
  position!: string | null;
}
