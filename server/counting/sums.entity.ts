import { Column, type ColumnType, Entity, PrimaryColumn } from 'typeorm';
import { columnOf } from './columns.js';
import type { PlayerSums } from './sums.js';
import { SUMS } from './sums-tables.js';

class Columns {}
for (const [name, type] of Object.entries(SUMS)) {
  Column({ type: type as ColumnType, name: columnOf(name) })(Columns.prototype, name);
}

/** The columns of `PlayerSums`. A stored player has a game, and so a time at which the score was reached. */
const PlayerSumsColumns = Columns as new () => PlayerSums & { readonly reachedAt: Date };

/** The sums of one player's games. */
@Entity('player_stats')
export class PlayerStats extends PlayerSumsColumns {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  /** How often the sums were written: a writer replaces only the sums that it has read. */
  @Column('integer')
  version!: number;

  /** Whether the player is on the boards. False for a hidden or banned player. */
  @Column('boolean')
  listed!: boolean;
}

/** The sums of one player's verified games in one week. */
@Entity('player_weeks')
export class PlayerWeek {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  /** The Monday on which the week begins, in UTC, as `2026-01-26`. */
  @PrimaryColumn('date')
  week!: string;

  @Column('integer')
  score!: number;

  @Column('integer')
  wins!: number;

  @Column('integer')
  losses!: number;

  @Column('integer')
  draws!: number;

  @Column('timestamptz', { name: 'reached_at' })
  reachedAt!: Date;
}
