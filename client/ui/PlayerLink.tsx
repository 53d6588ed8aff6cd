import { pageAddress } from './pageAddress.js';
import { PlayerName } from './PlayerName.js';

/** A name that leads to the player's page. The game opens it above what is there (loadedDialogs.tsx). */
export function PlayerLink({ playerId, name }: { playerId: string; name: string }) {
  return (
    <a className="player-link" href={pageAddress(playerId)}>
      <PlayerName of={name} />
    </a>
  );
}
