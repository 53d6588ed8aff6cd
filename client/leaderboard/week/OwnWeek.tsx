import type { CSSProperties } from 'react';
import type { LeaderboardRowEntryFragment, MyWeekQuery } from '../../graphql/generated.js';
import { messages } from '../../messages/leaderboard.js';
import { behind } from '../distance.js';
import { LeaderboardRow } from '../LeaderboardRow.js';
import '../OwnPlace.css';

interface Props {
  /** Null without a game in the week, undefined until the answer. */
  own: MyWeekQuery['me']['week'] | undefined;
  entries: readonly LeaderboardRowEntryFragment[];
  words: { readonly noPlace: string; readonly noRank: string };
  /** The room for the row. */
  style: CSSProperties;
}

/** Below the list of a week, when it does not have the player: the place, the points, and the distance to the list. */
export function OwnWeek({ own, entries, words, style }: Props) {
  const last = entries.at(-1);
  return (
    <>
      {own !== null && (
        <ol className="own-place" style={style} aria-label={messages.around}>
          {own && <LeaderboardRow entry={own} rank={own.rank} isYou />}
        </ol>
      )}
      {own && own.rank !== null && last ? (
        <p className="own-standing leaderboard-distance">
          {behind({ points: last.score - own.score, rank: entries.length })}
        </p>
      ) : (
        <p className="own-standing">{own ? words.noRank : own === null && words.noPlace}</p>
      )}
    </>
  );
}
