import {
  LeaderboardAroundDocument,
  type LeaderboardAroundQuery,
  type LeaderboardRowEntryFragment,
} from '../graphql/generated.js';
import { messages as game } from '../messages/game.js';
import { messages } from '../messages/leaderboard.js';
import { formatNumber, formatOrdinal } from '../ui/formatNumber.js';
import { Board, type BoardProps } from './Board.js';
import { behind, formatPlace } from './distance.js';
import { useLeaderboard, useOwn } from './useBoards.js';

type Around = NonNullable<LeaderboardAroundQuery['me']['standing']>;

const OWN_ROWS = 3;
/** Enough to show three players at the end of the leaderboard too. */
const NEIGHBOURS = { before: 2, after: 2 };

/** The leaderboard of all games. It is live. */
export function AllTime({ playerId, footer }: BoardProps) {
  const leaderboard = useLeaderboard();
  const around = useOwn(LeaderboardAroundDocument, NEIGHBOURS, playerId, leaderboard)?.standing;
  return (
    <Board
      {...{ playerId, footer, leaderboard }}
      own={around && ownPlaces(playerId, leaderboard.entries ?? [], around)}
      ownRows={OWN_ROWS}
      exact={around?.exact}
      standing={
        <p className="own-standing">
          {around && <Standing {...around} />}
          {around === null && messages.noPlace}
        </p>
      }
    />
  );
}

/** The player with one neighbour on each side where there is one, without the players of the list. */
function ownPlaces(playerId: string, entries: readonly LeaderboardRowEntryFragment[], { neighbours }: Around) {
  const listed = new Set(entries.map((entry) => entry.playerId));
  const others = neighbours.entries.filter((entry) => !listed.has(entry.playerId));
  const own = others.findIndex((entry) => entry.playerId === playerId);
  const start = Math.max(0, Math.min(own - 1, others.length - OWN_ROWS));
  return others.slice(start, start + OWN_ROWS);
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
