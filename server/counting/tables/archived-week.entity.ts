import { Column, Entity } from 'typeorm';
import { WeekSumsColumns } from './week-sums.entity.js';

/** The sums of the archived verified games of one week under one player's id. */
@Entity('archived_weeks')
export class ArchivedWeek extends WeekSumsColumns {
  /** The number of games of each day, Monday first. */
  @Column('integer', { name: 'day_games', array: true })
  dayGames!: number[];
}
