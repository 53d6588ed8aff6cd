import type { CSSProperties } from 'react';
import { createPortal } from 'react-dom';
import type { BoardProps } from '../boardProps.js';
import { distanceOf } from '../distance.js';
import { Entries } from '../Entries.js';
import { OwnPlace } from './OwnPlace.js';
import { OWN_ROWS, ownPlaces } from './ownPlaces.js';
import { useAround } from './useAround.js';
import { useLeaderboard } from './useLeaderboard.js';

/** The leaderboard of all games. It is live. */
export function AllTime({ playerId, footer }: BoardProps) {
  const leaderboard = useLeaderboard();
  const { entries } = leaderboard;
  const isOutside = Boolean(entries?.length) && !entries?.some((entry) => entry.playerId === playerId);
  const around = useAround(isOutside ? entries : null);
  const places = around && entries ? ownPlaces(playerId, entries, around) : [];
  // Until the answer, the place keeps its room, so that nothing moves.
  const ownRows = isOutside && around !== null ? (around ? places.length : OWN_ROWS) : 0;
  const style = { '--own-rows': ownRows } as CSSProperties;
  const own = isOutside ? (
    <OwnPlace playerId={playerId} places={around === null ? null : places} around={around} style={style} />
  ) : (
    // Its line stays reserved while empty.
    <p className="own-standing leaderboard-distance">{entries && distanceOf(playerId, entries)}</p>
  );
  return (
    <>
      <div className="leaderboard" style={style}>
        <Entries playerId={playerId} {...leaderboard} />
      </div>
      {footer && createPortal(own, footer)}
    </>
  );
}
