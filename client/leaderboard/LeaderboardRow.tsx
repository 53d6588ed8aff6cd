import { msg, plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { winRate } from '../../game/scoring.js';
import type { LeaderboardRowEntryFragment } from '../graphql/generated.js';
import { Avatar } from '../ui/Avatar.js';
import { formatNumber } from '../ui/formatNumber.js';
import { PlayerLink } from '../ui/PlayerLink.js';
import './Entries.css';

interface Props {
  /** Of a rival, only the points are known. */
  entry: Pick<LeaderboardRowEntryFragment, 'playerId' | 'name' | 'picture' | 'score'> &
    Partial<Omit<LeaderboardRowEntryFragment, '__typename'>>;
  /** Null behind the places that the week's board counts. Undefined for a player without a place. */
  rank: number | null | undefined;
  /** False where the server only estimates the rank. */
  exact?: boolean | undefined;
  /** Whose row is marked. */
  you: string;
}

export function LeaderboardRow({ entry, rank, exact, you }: Props) {
  const { t } = useLingui();
  const program = t`A program plays for this player.`;
  const { playerId, name, picture, score, wins = 0, losses = 0, draws = 0, totalGames, byProgram } = entry;
  return (
    <li className="leader" data-row={playerId} data-you={playerId === you}>
      <Place rank={totalGames || score > 0 ? rank : undefined} exact={exact} />
      <Avatar name={name} picture={picture} />
      <span className="leader-who">
        <span className="leader-name">
          <PlayerLink playerId={playerId} name={name} />
          {byProgram && (
            <span role="img" aria-label={program} title={program}>
              🤖
            </span>
          )}
          {playerId === you && <span className="tag">{t`You`}</span>}
        </span>
        {totalGames !== undefined && (
          <span className="leader-record number">
            <span>{t`${{ wins: formatNumber(wins) }}W · ${{ losses: formatNumber(losses) }}L · ${{ draws: formatNumber(draws) }}D`}</span>
            <span>{t`${{ percent: winRate(wins, totalGames) }}% win rate`}</span>
          </span>
        )}
      </span>
      <span className="leader-score number">
        <span>{formatNumber(score)}</span>{' '}
        <span className="visually-hidden">{plural(Math.abs(score), { one: 'point', other: 'points' })}</span>
      </span>
    </li>
  );
}

/** A medal, or "#123", or "about #12,300" for a place that the server only estimates. */
export function Place({ rank, exact = true }: Pick<Props, 'rank' | 'exact'>) {
  const { t } = useLingui();
  let shown: ReactNode = rank === null && t`1,000+`;
  if (rank)
    shown = exact ? t`#${{ rank: formatNumber(rank) }}` : t`about #${{ rank: formatNumber(+rank.toPrecision(3)) }}`;
  if (rank && rank <= 3) shown = <Medal rank={rank} />;
  return <span className="leader-rank number">{shown}</span>;
}

const MEDALS = [msg`Gold medal, rank 1`, msg`Silver medal, rank 2`, msg`Bronze medal, rank 3`];

function Medal({ rank }: { rank: number }) {
  const { t } = useLingui();
  return (
    <svg className="medal" data-rank={rank} viewBox="0 0 32 36" role="img" aria-label={t(MEDALS[rank - 1]!)}>
      <path className="medal-ribbon-left" d="M7 1h7l5 12-6 3z" />
      <path className="medal-ribbon-right" d="M25 1h-7l-5 12 6 3z" />
      <circle className="medal-rim" cx="16" cy="23" r="11.500" />
      <circle className="medal-face" cx="16" cy="23" r="8.500" />
      <text x="16" y="27.200" textAnchor="middle">
        {rank}
      </text>
    </svg>
  );
}
