import { type Dare, dareCode, readDare } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';

export const duelLink = (dare: Dare) => `${location.origin}/d/${dareCode(dare)}`;

/** Whom the address dares to beat; nobody with a wrong code. */
export function askedDuel(): Dare | null {
  const [, path, code] = location.pathname.split('/');
  return path === 'd' ? (readDare(code ?? '') ?? { playerId: '', day: '' }) : null;
}

/** A wrong code has no day, and the server refuses those before 2000. */
export const hasDay = ({ day }: Dare) => day >= '2';

/** Blue and orange differ for every kind of colour vision; they are the colours of X and O. */
const TILES: Readonly<Record<Result, string>> = { win: '🟦', draw: '⬜', lose: '🟧' };

/** Results without any move, so that they spoil nothing. */
export const inTiles = (results: readonly Result[]) => results.map((result) => TILES[result]).join('');
