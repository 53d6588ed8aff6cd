import type { ReactNode } from 'react';
import { winRate } from '../../game/scoring.js';
import type { LeaderboardRowEntryFragment } from '../graphql/generated.js';
import { messages } from '../messages/leaderboard.js';
import { Avatar } from '../ui/Avatar.js';
import { formatNumber } from '../ui/formatNumber.js';
import './Entries.css';

interface Props {
  entry: LeaderboardRowEntryFragment;
  /** Null where only the players before it have a place. */
  rank: number | null;
  /** False where the server only estimates the rank. */
  exact?: boolean | undefined;
  isYou: boolean;
}

export function LeaderboardRow({ entry, rank, exact, isYou }: Props) {
  const { playerId, name, picture, score, wins, losses, draws, totalGames, byProgram } = entry;
  return (
    <li className="leader" data-row={playerId} data-you={isYou}>
      <Place rank={rank} exact={exact} />
      <Avatar name={name} picture={picture} />
      <span className="leader-who">
        <span className="leader-name">
          {/* Isolates a right-to-left name from the rest of the line. */}
          <bdi className="clipped" translate="no">
            {name}
          </bdi>
          {byProgram && (
            <span role="img" aria-label={messages.byProgram} title={messages.byProgram}>
              🤖
            </span>
          )}
          {isYou && <span className="tag">{messages.you}</span>}
        </span>
        <span className="leader-record number">
          <span>{messages.record(formatNumber(wins), formatNumber(losses), formatNumber(draws))}</span>
          <span>{messages.winRate(winRate(wins, totalGames))}</span>
        </span>
      </span>
      <span className="leader-score number">
        <span>{formatNumber(score)}</span> <span className="visually-hidden">{messages.points(score)}</span>
      </span>
    </li>
  );
}

/** A medal, or "#123", or "about #12,300" for a place that the server only estimates. */
export function Place({ rank, exact = true }: Pick<Props, 'rank' | 'exact'>) {
  let shown: ReactNode = messages.beyond;
  if (rank !== null) shown = messages.rank(formatNumber(exact ? rank : +rank.toPrecision(3)), exact);
  if (rank !== null && rank <= 3) shown = <Medal rank={rank} />;
  return <span className="leader-rank number">{shown}</span>;
}

function Medal({ rank }: { rank: number }) {
  return (
    <svg className="medal" data-rank={rank} viewBox="0 0 32 36" role="img" aria-label={messages.medals[rank - 1]}>
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
