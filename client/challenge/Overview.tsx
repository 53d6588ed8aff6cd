import { useQuery } from '@apollo/client/react';
import { Share2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Result } from '../../game/rules.js';
import { anonymous } from '../apollo.js';
import { ChallengeTableDocument } from '../graphql/generated.js';
import { messages } from '../messages/challenge.js';
import { messages as game } from '../messages/game.js';
import { keepCommitment } from '../seedCommitment.js';
import { Avatar } from '../ui/Avatar.js';
import { Button } from '../ui/Button.js';
import { Failed } from '../ui/failure/NotLoaded.js';
import { formatNumber, formatOrdinal } from '../ui/formatNumber.js';
import { share } from '../ui/share.js';
import { formatDate, formatTime } from '../ui/time/formatTime.js';
import { isBegun, isDone, statesOf } from './attempt.js';
import { Squares } from './Squares.js';
import type { MyChallenge } from './useChallenge.js';

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
  if (failed) return <Failed className="challenge-note faint" text={messages.failed} retry={reload} />;
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
  return (
    <div className="challenge-attempt faint balanced">
      <Squares states={statesOf(attempt)} label={messages.results} />
      {attempt.totalMoves !== null && par !== null && (
        <p>{messages.moves(formatNumber(attempt.totalMoves), formatNumber(par))}</p>
      )}
      {place !== null && (
        <p className="challenge-place">{messages.place(formatOrdinal(place, game.ordinals), formatNumber(players))}</p>
      )}
      {!isBegun(attempt) && <p>{messages.intro}</p>}
      {!isDone(attempt) && <p>{messages.ends(formatTime(endsAt))}</p>}
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
  if (entries.length === 0) return <p className="faint balanced">{messages.empty}</p>;
  return (
    <section className="challenge-table" aria-label={messages.table}>
      <h3 className="soft">{messages.table}</h3>
      <ol>
        {entries.map((entry) => (
          <li key={entry.playerId} data-you={entry.playerId === playerId}>
            <span className="challenge-rank faint number">{messages.rank(formatNumber(entry.place))}</span>
            <Avatar name={entry.name} picture={entry.picture} />
            <span className="challenge-name">
              {/* Isolates a right-to-left name from the rest of the line. */}
              <bdi className="clipped" translate="no">
                {entry.name}
              </bdi>
              {entry.playerId === playerId && <span className="tag">{messages.you}</span>}
            </span>
            <span className="challenge-total soft number">{messages.total(formatNumber(entry.totalMoves))}</span>
            <Squares states={entry.results} label={entry.name} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Blue and orange differ for every kind of colour vision; they are the colours of X and O. */
const SQUARES: Readonly<Record<Result, string>> = { win: '🟦', draw: '⬜', lose: '🟧' };

/** Shares the result of a finished attempt. */
export function ShareButton({ mine }: { mine: MyChallenge }) {
  const [said, setSaid] = useState<ReactNode>(null);
  if (!isDone(mine.attempt)) return null;

  const onShare = async () => {
    const text = shareText(mine);
    const url = location.origin;
    const done = await share(text, url);
    if (done === 'copied') setSaid(messages.copied);
    else if (done === 'failed') setSaid(<NotShared text={`${text}\n${url}`} />);
    else setSaid(null);
  };

  return (
    <div className="challenge-share">
      <Button look="main" onClick={() => void onShare()}>
        <Share2 aria-hidden />
        {messages.share}
      </Button>
      <div role="status" className="soft balanced">
        {said}
      </div>
    </div>
  );
}

/** The result without squares, seeds or par, so that it spoils nothing. A player who is hidden has no place. */
function shareText({ attempt, place }: MyChallenge): string {
  // Without an hour the day would be one in UTC.
  const date = formatDate(`${attempt.day}T12:00`);
  const squares = attempt.games.map(({ result }) => SQUARES[result ?? 'lose']).join('');
  const total = attempt.totalMoves === null ? '' : ` in ${attempt.totalMoves}`;
  return `Tic-Tac-Toe challenge, ${date}\n${squares}${total}${place === null ? '' : ` · place ${place}`}`;
}

function NotShared({ text }: { text: string }) {
  return (
    <div>
      {messages.notShared}
      <pre className="tile" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
