import { winRate } from '../../game/scoring.js';
import type { LeaderboardRowEntryFragment } from '../graphql/generated.js';
import { messages } from '../messages/leaderboard.js';
import { Avatar } from '../ui/Avatar.js';
import { formatNumber } from '../ui/formatNumber.js';
import { Place } from './Place.js';
import './LeaderboardRow.css';

interface Props {
  entry: LeaderboardRowEntryFragment;
  /** Null where only the players before it have a place. */
  rank: number | null;
  /** False where the server only estimates the rank. */
  exact?: boolean;
  isYou: boolean;
}

export function LeaderboardRow({ entry, rank, exact, isYou }: Props) {
  const { playerId, name, picture, score, wins, losses, draws, totalGames, byProgram } = entry;
  return (
    <li className="leader" data-row={playerId} data-you={isYou}>
      <span className="leader-rank">
        <Place rank={rank} exact={exact} />
      </span>
      <Avatar name={name} picture={picture} />
      <span className="leader-who">
        <span className="leader-name">
          {/* Isolates a right-to-left name from the rest of the line. */}
          <bdi className="clipped">{name}</bdi>
          {byProgram && (
            <span role="img" aria-label={messages.byProgram} title={messages.byProgram}>
              🤖
            </span>
          )}
          {isYou && <span className="tag">{messages.you}</span>}
        </span>
        <span className="leader-record">
          {messages.record(formatNumber(wins), formatNumber(losses), formatNumber(draws))}
          <span>{messages.winRate(winRate(wins, totalGames))}</span>
        </span>
      </span>
      <span className="leader-score">
        {formatNumber(score)} <span className="visually-hidden">{messages.points}</span>
      </span>
    </li>
  );
}
