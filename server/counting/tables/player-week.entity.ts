import { Entity } from 'typeorm';
import { WeekSumsColumns } from './week-sums.entity.js';

/** The sums of one player's verified games in one week. */
@Entity('player_weeks')
export class PlayerWeek extends WeekSumsColumns {}
