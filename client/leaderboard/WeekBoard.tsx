import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { weekAfter, weekBefore, weekOf } from '../../game/week.js';
import { MyWeekDocument } from '../graphql/generated.js';
import { messages } from '../messages/leaderboard.js';
import { Button } from '../ui/Button.js';
import { useNow } from '../ui/time/useNow.js';
import { Board, type BoardProps } from './Board.js';
import { behind } from './distance.js';
import { useOwn, useWeek } from './useBoards.js';
import { daysOf, endOf, timeLeft } from './weekTime.js';
import './WeekBoard.css';

/** The leaderboard of this week or of the week before. */
export function WeekBoard({ playerId, footer }: BoardProps) {
  const now = useNow();
  const thisWeek = weekOf(new Date(now));
  const [isPast, setPast] = useState(false);
  const week = isPast ? weekBefore(thisWeek) : thisWeek;
  const { past, current } = messages.week;
  const words = isPast ? past : current;

  const leaderboard = useWeek(week, isPast);
  const own = useOwn(MyWeekDocument, { week }, playerId, leaderboard)?.week;
  const last = leaderboard.entries?.at(-1);
  return (
    <Board
      {...{ playerId, footer, leaderboard, week }}
      bar={
        <div className="week-bar">
          <p>{isPast ? daysOf(week) : <Until time={Date.parse(weekAfter(week))} now={now} />}</p>
          <Button look="quiet" onClick={() => setPast(!isPast)}>
            {!isPast && <ChevronRight className="week-before" aria-hidden />}
            {words.other}
            {isPast && <ChevronRight aria-hidden />}
          </Button>
        </div>
      }
      empty={words.empty}
      isOpen={!isPast}
      own={own && [own]}
      ownRows={1}
      standing={
        own && own.rank !== null && last ? (
          <p className="own-standing leaderboard-distance">
            {behind({ points: last.score - own.score, rank: leaderboard.entries!.length })}
          </p>
        ) : (
          <p className="own-standing">{own ? words.noRank : own === null && words.noPlace}</p>
        )
      }
    />
  );
}

/** In the player's time zone. */
function Until({ time, now }: { time: number; now: number }) {
  const { text, exact } = endOf(time);
  return (
    <>
      <span>
        {messages.week.until}{' '}
        <time dateTime={new Date(time).toISOString()} title={exact}>
          {text}
        </time>
        ,
      </span>{' '}
      <span>{timeLeft(time - now)}</span>
    </>
  );
}
