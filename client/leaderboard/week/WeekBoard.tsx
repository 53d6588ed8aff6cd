import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { CSSProperties } from 'react';
import { createPortal } from 'react-dom';
import { weekAfter, weekBefore, weekOf } from '../../../game/week.js';
import { messages } from '../../messages/leaderboard.js';
import { Button } from '../../ui/Button.js';
import type { BoardProps } from '../boardProps.js';
import { distanceOf } from '../distance.js';
import { Entries } from '../Entries.js';
import { OwnWeek } from './OwnWeek.js';
import { daysOf, endOf, timeLeft } from './weekTime.js';
import { useMyWeek } from './useMyWeek.js';
import { useNow } from '../../ui/time/useNow.js';
import { useWeek } from './useWeek.js';
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
  const { entries } = leaderboard;
  const isOutside = Boolean(entries?.length) && !entries?.some((entry) => entry.playerId === playerId);
  const own = useMyWeek(week, isOutside ? entries : null);
  // Until the answer, the place keeps its room, so that nothing moves.
  const style = { '--own-rows': isOutside && own !== null ? 1 : 0 } as CSSProperties;
  return (
    <>
      <div className="leaderboard leaderboard-week" style={style}>
        <div className="week-bar">
          <p>{isPast ? daysOf(week) : <Until time={Date.parse(weekAfter(week))} now={now} />}</p>
          <Button look="quiet" onClick={() => setPast(!isPast)}>
            {!isPast && <ChevronRight className="week-before" aria-hidden />}
            {words.other}
            {isPast && <ChevronRight aria-hidden />}
          </Button>
        </div>
        <Entries key={week} playerId={playerId} {...leaderboard} empty={words.empty} isOpen={!isPast} />
      </div>
      {footer &&
        createPortal(
          isOutside ? (
            <OwnWeek own={own} entries={entries ?? []} words={words} style={style} />
          ) : (
            <p className="own-standing leaderboard-distance">{entries && distanceOf(playerId, entries)}</p>
          ),
          footer,
        )}
    </>
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
