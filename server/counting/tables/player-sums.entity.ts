import { Column, type ColumnType } from 'typeorm';
import { type PlayerSums, SUMS } from '../sums.js';
import { columnOf, typeOf } from '../sums-tables.js';

class Columns {}
for (const name of SUMS) {
  Column({ type: typeOf(name) as ColumnType, name: columnOf(name) })(Columns.prototype, name);
}

/** The columns of `PlayerSums`. A stored player has a game, and so a time at which the score was reached. */
export const PlayerSumsColumns = Columns as new () => PlayerSums & { readonly reachedAt: Date };
