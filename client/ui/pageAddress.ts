import { pageCode, readPage } from '../../game/dare.js';

export const pageAddress = (playerId: string) => `/p/${pageCode(playerId)}`;

/** Whose page an address asks for: that of nobody with a wrong code, and null at any other address. */
export function askedPlayer(pathname = location.pathname) {
  const [, path, code] = pathname.split('/');
  return path === 'p' ? { __typename: 'Player' as const, id: readPage(code ?? '') ?? '' } : null;
}
