import { Share2 } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import type { Dare } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';
import { messages } from '../messages/challenge.js';
import { Button } from '../ui/Button.js';
import { Failed } from '../ui/failure/NotLoaded.js';
import { formatNumber } from '../ui/formatNumber.js';
import { share } from '../ui/share.js';
import { useNow } from '../ui/time/clock.js';
import { formatDay, formatTime } from '../ui/time/formatTime.js';
import { isBegun, isDone, statesOf } from './attempt.js';
import { duelLink, inTiles } from './duel.js';
import { Duel, Table } from './Results.js';
import { Tiles } from './Tiles.js';
import type { Challenge, MyChallenge } from './useChallenge.js';

interface Props extends Pick<Challenge, 'mine' | 'failed' | 'reload'> {
  playerId: string;
  duel: Dare | null;
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
      {isDone(mine.attempt) && <Chart {...mine} />}
      <Table playerId={playerId} day={mine.attempt.day} duel={duel} />
    </div>
  );
}

function Attempt({ mine }: { mine: MyChallenge }) {
  const { attempt, endsAt, par, place, players, isBetter } = mine;
  const left = Date.parse(endsAt) - useNow();
  const states = statesOf(attempt);
  const count = (result: Result) => states.filter((state) => state === result).length;
  const wins = count('win');
  return (
    <div className="challenge-attempt faint balanced" data-well={isBetter || wins === states.length}>
      {isDone(attempt) && <p className="challenge-sum">{messages.sum(wins, count('draw'))}</p>}
      <Tiles states={states} label={messages.results} />
      {attempt.totalMoves !== null && par !== null && (
        <p>
          {messages.moves(attempt.totalMoves)} {messages.best(formatNumber(par))}
        </p>
      )}
      {place !== null && <p>{messages.place(place, formatNumber(players))}</p>}
      {isBetter && <p>{messages.better}</p>}
      {!isBegun(attempt) && <p>{messages.intro}</p>}
      <p>{isDone(attempt) ? messages.nextIn(left) : messages.ends(left, formatTime(endsAt))}</p>
    </div>
  );
}

/** On how many days the player has won none to five games, with the bar of today marked. */
function Chart({ chart, attempt }: Pick<MyChallenge, 'chart' | 'attempt'>) {
  const today = attempt.games.filter(({ result }) => result === 'win').length;
  const most = Math.max(...chart);
  return (
    <section className="challenge-chart" aria-label={messages.chart}>
      <h3 className="soft">{messages.chart}</h3>
      <ol>
        {chart.map((count, wins) => (
          <li key={wins} data-you={wins === today} style={{ '--share': count / most } as CSSProperties}>
            <span className="visually-hidden">{messages.bar(wins, count)}</span>
            <span aria-hidden="true">{wins}</span>
            <span aria-hidden="true">{count}</span>
          </li>
        ))}
      </ol>
    </section>
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
