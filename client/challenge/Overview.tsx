import { Share2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { messages } from '../messages/challenge.js';
import { Button } from '../ui/Button.js';
import { Failed } from '../ui/failure/NotLoaded.js';
import { formatNumber } from '../ui/formatNumber.js';
import { share } from '../ui/share.js';
import { formatDay, formatTime } from '../ui/time/formatTime.js';
import { isBegun, isDone, statesOf } from './attempt.js';
import { type Duel as AskedDuel, duelLink, inTiles } from './duel.js';
import { Duel, Table } from './Results.js';
import { Tiles } from './Tiles.js';
import type { Challenge, MyChallenge } from './useChallenge.js';

interface Props extends Pick<Challenge, 'mine' | 'failed' | 'reload'> {
  playerId: string;
  duel: AskedDuel | null;
  children?: ReactNode;
}

export function Overview({ playerId, duel, mine, failed, reload, children }: Props) {
  if (failed) return <Failed className="challenge-note faint" text={messages.failed} retry={reload} />;
  // It takes the focus, which would begin on "Close".
  if (!mine) return <p className="challenge-note centred" role="status" aria-label={messages.loading} tabIndex={0} />;
  return (
    <div className="challenge">
      {duel && <Duel duel={duel} playerId={playerId} day={mine.attempt.day} />}
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
      <Tiles states={statesOf(attempt)} label={messages.results} />
      {attempt.totalMoves !== null && par !== null && (
        <p>
          {messages.moves(attempt.totalMoves)} {messages.best(formatNumber(par))}
        </p>
      )}
      {place !== null && <p className="challenge-place">{messages.place(place, formatNumber(players))}</p>}
      {!isBegun(attempt) && <p>{messages.intro}</p>}
      {!isDone(attempt) && <p>{messages.ends(formatTime(endsAt))}</p>}
    </div>
  );
}

export function ShareButton({ playerId, mine }: { playerId: string; mine: MyChallenge }) {
  const [said, setSaid] = useState<ReactNode>(null);
  const { day, games, totalMoves } = mine.attempt;
  // A hidden player has no place, and a link to nobody.
  if (totalMoves === null || mine.place === null) return null;

  const onShare = async () => {
    const tiles = inTiles(games.map(({ result }) => result ?? 'lose'));
    const text = messages.shared(formatDay(day), tiles, totalMoves);
    const url = duelLink({ playerId, day });
    const done = await share(text, url);
    setSaid(done && { copied: messages.copied, failed: <NotShared text={`${text} ${url}`} /> }[done]);
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
