import type { Result } from '../../game/rules.js';

/** The result that a link dares to beat. Anybody can have written it. */
export interface Duel {
  readonly playerId: string;
  readonly day: string;
}

export const duelLink = ({ playerId, day }: Duel) => `${location.origin}/?duel=${playerId}&day=${day}`;

export function askedDuel(): Duel | null {
  const given = new URLSearchParams(location.search);
  const playerId = given.get('duel');
  // A full stop behind the link belongs to the sentence around it.
  return playerId === null ? null : { playerId, day: (given.get('day') ?? '').slice(0, 10) };
}

/** Blue and orange differ for every kind of colour vision; they are the colours of X and O. */
const TILES: Readonly<Record<Result, string>> = { win: '🟦', draw: '⬜', lose: '🟧' };

/** Results without any move, so that they spoil nothing. */
export const inTiles = (results: readonly Result[]) => results.map((result) => TILES[result]).join('');
