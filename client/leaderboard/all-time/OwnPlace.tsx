import type { CSSProperties } from 'react';
import type { LeaderboardAroundQuery } from '../../graphql/generated.js';
import { messages as game } from '../../messages/game.js';
import { messages } from '../../messages/leaderboard.js';
import { formatNumber, formatOrdinal } from '../../ui/formatNumber.js';
import { behind } from '../distance.js';
import { formatPlace } from '../formatPlace.js';
import { LeaderboardRow } from '../LeaderboardRow.js';
import '../OwnPlace.css';

type Around = NonNullable<LeaderboardAroundQuery['me']['standing']>;

interface Props {
  playerId: string;
  /** The player and the neighbours; null without a finished game. */
  places: Around['neighbours']['entries'] | null;
  around: Around | null | undefined;
  /** The room for the rows. */
  style: CSSProperties;
}

/** Below the list, when it does not have the player: the place, the neighbours, and the distance to the next place. */
export function OwnPlace({ playerId, places, around, style }: Props) {
  return (
    <>
      {places && (
        <ol className="own-place" style={style} aria-label={messages.around}>
          {places.map((entry) => (
            <LeaderboardRow
              key={entry.playerId}
              entry={entry}
              rank={entry.rank}
              exact={around?.exact}
              isYou={entry.playerId === playerId}
            />
          ))}
        </ol>
      )}
      <p className="own-standing">
        {around && <Standing {...around} />}
        {around === null && messages.noPlace}
      </p>
    </>
  );
}

function Standing({ rank, exact, players, neighbours: { next } }: Around) {
  const place = exact ? formatOrdinal(rank, game.ordinals) : formatPlace(rank, exact);
  return (
    <>
      <span>{messages.standing(place, formatNumber(players))}</span>
      {next && <span className="leaderboard-distance">{behind(next, exact)}</span>}
    </>
  );
}
