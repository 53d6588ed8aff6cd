import { messages } from '../messages/leaderboard.js';
import { Place } from './Place.js';
import './FreePlaces.css';

/** Places that nobody has yet, from one to another. Only the first says so, because a list of them would tire the ear. */
export function FreePlaces({ from, to }: { from: number; to: number }) {
  return (
    <div className="free-places">
      {Array.from({ length: to - from + 1 }, (_, at) => (
        <p key={at} className="free-place" aria-hidden={at > 0}>
          <span className="leader-rank">
            <Place rank={from + at} />
          </span>
          {at === 0 && messages.free}
        </p>
      ))}
    </div>
  );
}
