import { useQuery } from '@apollo/client/react';
import { useEffect, type ReactNode } from 'react';
import { anonymous } from '../apollo.js';
import { ChallengeTableDocument } from '../graphql/generated.js';
import { messages } from '../messages/challenge.js';
import { messages as game } from '../messages/game.js';
import { keepCommitment } from '../seedCommitment.js';
import { Avatar } from '../ui/Avatar.js';
import { Failed } from '../ui/failure/Failed.js';
import { formatNumber, formatOrdinal } from '../ui/formatNumber.js';
import { formatTime, isMidnight } from '../ui/time/formatTime.js';
import { useNow } from '../ui/time/useNow.js';
import { isBegun, isDone, statesOf } from './attempt.js';
import { Squares } from './Squares.js';
import type { MyChallenge } from './useChallenge.js';
import './Overview.css';

interface Props {
  playerId: string;
  mine: MyChallenge | null;
  failed: boolean;
  reload: () => void;
  /** What the player can do next. */
  children?: ReactNode;
}

/** The state of the player's attempt, and the best players of today. */
export function Overview({ playerId, mine, failed, reload, children }: Props) {
  if (failed) return <Failed className="challenge-note" text={messages.failed} retry={reload} />;
  if (!mine) return <p className="challenge-note centred" role="status" aria-label={messages.loading} />;
  return (
    <div className="challenge">
      <Attempt mine={mine} />
      {children}
      <Table playerId={playerId} day={mine.attempt.day} />
    </div>
  );
}

function Attempt({ mine }: { mine: MyChallenge }) {
  const { attempt, endsAt, par, place, players } = mine;
  const left = Date.parse(endsAt) - useNow();
  return (
    <div className="challenge-attempt">
      <Squares states={statesOf(attempt)} label={messages.results} />
      {attempt.totalMoves !== null && par !== null && (
        <p>{messages.moves(formatNumber(attempt.totalMoves), formatNumber(par))}</p>
      )}
      {place !== null && (
        <p className="challenge-place">{messages.place(formatOrdinal(place, game.ordinals), formatNumber(players))}</p>
      )}
      {!isBegun(attempt) && <p>{messages.intro}</p>}
      {isDone(attempt) ? (
        <p>{messages.nextIn(left)}</p>
      ) : (
        <p>{messages.ends(formatTime(endsAt), isMidnight(endsAt), left)}</p>
      )}
    </div>
  );
}

function Table({ playerId, day }: { playerId: string; day: string }) {
  const { data } = useQuery(ChallengeTableDocument, {
    variables: { day },
    fetchPolicy: 'cache-and-network',
    context: anonymous,
  });
  const commitment = data?.challenge.commitment;
  useEffect(() => {
    if (commitment) keepCommitment(day, commitment);
  }, [day, commitment]);
  const entries = data?.challenge.entries;
  if (!entries) return null;
  if (entries.length === 0) return <p className="challenge-empty">{messages.empty}</p>;
  return (
    <section className="challenge-table" aria-label={messages.table}>
      <h3>{messages.table}</h3>
      <ol>
        {entries.map((entry) => (
          <li key={entry.playerId} data-you={entry.playerId === playerId}>
            <span className="challenge-rank">{messages.rank(formatNumber(entry.place))}</span>
            <Avatar name={entry.name} picture={entry.picture} />
            <span className="challenge-name">
              {/* Isolates a right-to-left name from the rest of the line. */}
              <bdi className="clipped">{entry.name}</bdi>
              {entry.playerId === playerId && <span className="tag">{messages.you}</span>}
            </span>
            <span className="challenge-total">{messages.total(formatNumber(entry.totalMoves))}</span>
            <Squares states={entry.results} label={entry.name} />
          </li>
        ))}
      </ol>
    </section>
  );
}
