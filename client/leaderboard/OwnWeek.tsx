import type { CSSProperties } from 'react';
import type { LeaderboardRowEntryFragment, MyWeekQuery } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { formatOrdinal } from '../ui/formatNumber.js';
import { behind } from './distance.js';
import { LeaderboardRow } from './LeaderboardRow.js';
import './OwnPlace.css';

type Own = NonNullable<MyWeekQuery['myWeek']>;

interface Props {
  /** Null without a game in the week, undefined until the answer. */
  own: Own | null | undefined;
  entries: readonly LeaderboardRowEntryFragment[];
  words: { readonly noPlace: string; readonly place: (rank: string) => string; readonly noRank: string };
  /** The room for the row. */
  style: CSSProperties;
}

/** Below the list of a week, when it does not have the player: the place, the points, and the distance to the list. */
export function OwnWeek({ own, entries, words, style }: Props) {
  const last = entries.at(-1);
  return (
    <>
      {own !== null && (
        <ol className="own-place" style={style} aria-label={messages.leaderboard.around}>
          {own && <LeaderboardRow entry={own.entry} rank={own.rank} isYou />}
        </ol>
      )}
      <p className="own-standing">
        {own === null && words.noPlace}
        {own && (
          <>
            <span>
              {own.rank === null ? words.noRank : words.place(formatOrdinal(own.rank, messages.leaderboard.ordinals))}
            </span>
            {last && (
              <span className="leaderboard-distance">
                {behind({ points: last.score - own.entry.score, rank: entries.length })}
              </span>
            )}
          </>
        )}
      </p>
    </>
  );
}
