import type { Result } from '../../game/rules.js';
import type { PositionState } from './Squares.js';

/** Blue and orange differ for every kind of colour vision; they are the colours of X and O. */
const SQUARES: Readonly<Record<Result, string>> = { win: '🟦', draw: '⬜', lose: '🟧' };
const POSITIONS: Readonly<Record<PositionState, string>> = { solved: ' + 🧩✅', missed: ' + 🧩❌', open: '' };

interface Shared {
  readonly day: string;
  readonly results: readonly Result[];
  readonly totalMoves: number | null;
  readonly position: PositionState;
  /** Null for a player without a place on the boards. */
  readonly place: number | null;
  readonly daysInARow: number;
}

/** The result without squares, seeds or par, so that it spoils nothing. */
export function shareText({ day, results, totalMoves, position, place, daysInARow }: Shared): string {
  const date = new Date(day).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  const squares = results.map((result) => SQUARES[result]).join('');
  const total = totalMoves === null ? '' : ` in ${totalMoves}`;
  const days = daysInARow === 1 ? '1 day' : `${daysInARow} days`;
  const parts = [
    squares + total + POSITIONS[position],
    ...(place === null ? [] : [`place ${place}`]),
    `${days} in a row`,
  ];
  return `Tic-Tac-Toe challenge, ${date}\n${parts.join(' · ')}`;
}
