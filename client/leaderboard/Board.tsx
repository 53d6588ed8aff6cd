import { useLingui } from '@lingui/react/macro';
import type { CSSProperties, ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { LeaderboardRowEntryFragment } from '../graphql/generated.js';
import { Entries } from './Entries.js';
import { LeaderboardRow } from './LeaderboardRow.js';
import { without, type Leaderboard } from './useBoards.js';
import './Entries.css';

/** What the leaderboard dialog gives to the content of a tab. */
export interface BoardProps {
  readonly playerId: string;
  /** A part of the dialog's footer, for the player's own place. Null until the dialog is drawn. */
  readonly footer: HTMLElement | null;
}

interface Props extends BoardProps {
  leaderboard: Leaderboard;
  bar?: ReactNode;
  /** The list has this key. */
  week?: string;
  empty?: string;
  isOpen?: boolean;
  /** The player and the neighbours, for the footer when the list does not have them: undefined until the answer, null without a game. */
  own: readonly (LeaderboardRowEntryFragment & { rank: number | null })[] | null | undefined;
  /** The most rows of that. */
  ownRows: number;
  /** False where the server only estimates the ranks of those rows. */
  exact?: boolean | undefined;
  /** What is said instead to a player without a game. */
  noPlace: string;
}

/** The ten of a leaderboard, and in the footer the place of a player who is not among them. */
export function Board({ playerId, footer, leaderboard, bar, week, own, ownRows, exact, noPlace, ...rest }: Props) {
  const { t } = useLingui();
  const { entries } = leaderboard;
  const isOutside = without(playerId, entries) !== null;
  // Until the answer, the place keeps its room, so that nothing moves.
  const rows = isOutside ? (own === null ? 1 : (own?.length ?? ownRows)) : 0;
  const style = { '--own-rows': rows } as CSSProperties;
  const place =
    own === null ? (
      <p className="own-place own-none faint" style={style}>
        {noPlace}
      </p>
    ) : (
      <ol className="own-place" style={style} aria-label={t`Your place`}>
        {own?.map((entry) => (
          <LeaderboardRow key={entry.playerId} entry={entry} rank={entry.rank} exact={exact} you={playerId} />
        ))}
      </ol>
    );
  return (
    <>
      <div className={`leaderboard ${bar ? 'leaderboard-week' : ''}`} style={style}>
        {bar}
        <Entries key={week} playerId={playerId} {...leaderboard} {...rest} />
      </div>
      {footer && isOutside && createPortal(place, footer)}
    </>
  );
}
