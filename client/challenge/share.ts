import type { Result } from '../../game/rules.js';

/** Blue and orange differ for every kind of colour vision; they are the colours of X and O. */
const SQUARES: Readonly<Record<Result, string>> = { win: '🟦', draw: '⬜', lose: '🟧' };

interface Shared {
  readonly day: string;
  readonly results: readonly Result[];
  /** Null for a player without a place on the boards. */
  readonly place: number | null;
  readonly daysInARow: number;
}

/** The result without moves or seeds, so that it spoils no game. */
export function shareText({ day, results, place, daysInARow }: Shared): string {
  const date = new Date(day).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  const squares = results.map((result) => SQUARES[result]).join('');
  const days = daysInARow === 1 ? '1 day' : `${daysInARow} days`;
  const parts = [squares, ...(place === null ? [] : [`place ${place}`]), `${days} in a row`];
  return `Tic-Tac-Toe challenge, ${date}\n${parts.join(' · ')}`;
}
