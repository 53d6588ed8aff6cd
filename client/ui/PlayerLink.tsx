import { pageCode, readPage } from '../../game/dare.js';
import { PlayerName } from './PlayerName.js';

export const pageAddress = (playerId: string) => `/p/${pageCode(playerId)}`;

/** Whose page an address asks for: that of nobody with a wrong code, and null at any other address. */
export function askedPlayer(pathname = location.pathname) {
  const [, path, code] = pathname.split('/');
  return path === 'p' ? { __typename: 'Player' as const, id: readPage(code ?? '') ?? '' } : null;
}

/** A name that leads to the player's page. The game opens it above what is there (loadedDialogs.tsx). */
export function PlayerLink({ playerId, name }: { playerId: string; name: string }) {
  return (
    <a className="player-link" href={pageAddress(playerId)}>
      <PlayerName of={name} />
    </a>
  );
}
