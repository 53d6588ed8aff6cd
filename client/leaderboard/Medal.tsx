import { messages } from '../messages/leaderboard.js';
import './Medal.css';

/** A drawn medal on its ribbon: gold, silver or bronze. */
export function Medal({ rank }: { rank: 1 | 2 | 3 }) {
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
