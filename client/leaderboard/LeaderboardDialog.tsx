import { ChevronRight } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { weekAfter, weekBefore, weekOf } from '../../game/week.js';
import {
  LeaderboardAroundDocument,
  type LeaderboardAroundQuery,
  type LeaderboardRowEntryFragment,
  MyWeekDocument,
} from '../graphql/generated.js';
import { messages as game } from '../messages/game.js';
import { messages } from '../messages/leaderboard.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { formatNumber, formatOrdinal } from '../ui/formatNumber.js';
import { Tabs } from '../ui/Tabs.js';
import { useNow } from '../ui/time/clock.js';
import { daysOf, formatDateTime, formatDayTime, timeLeft } from '../ui/time/formatTime.js';
import { Board, type BoardProps } from './Board.js';
import { behind, formatPlace } from './distance.js';
import { useLeaderboard, useOwn, useWeek } from './useBoards.js';
import './LeaderboardDialog.css';

const BOARDS = { all: AllTime, week: WeekBoard };
type Name = keyof typeof BOARDS;

const { tabs } = messages;
const TABS = (['all', 'week'] as const).map((name) => ({ name, label: tabs[name] }));

export function LeaderboardDialog({ playerId, onClose }: { playerId: string; onClose: () => void }) {
  const [selected, setSelected] = useState<Name>('all');
  const [footer, setFooter] = useState<HTMLElement | null>(null);
  // The tab answers the press first.
  const shown = useDeferredValue(selected);
  const Board = BOARDS[shown];
  return (
    <Dialog
      title={messages.title}
      subtitle={messages.subtitle}
      onClose={onClose}
      // Outside the scrolling list, so that the own place is always visible.
      footer={<div className="leaderboard-own" ref={setFooter} />}
    >
      <Tabs label={messages.title} tabs={TABS} selected={selected} shown={shown} onSelect={setSelected}>
        <Board playerId={playerId} footer={footer} />
      </Tabs>
    </Dialog>
  );
}

type Around = NonNullable<LeaderboardAroundQuery['me']['standing']>;

const OWN_ROWS = 3;
/** Enough to show three players at the end of the leaderboard too. */
const NEIGHBOURS = { before: 2, after: 2 };

/** The leaderboard of all games. It is live. */
function AllTime({ playerId, footer }: BoardProps) {
  const leaderboard = useLeaderboard();
  const around = useOwn(LeaderboardAroundDocument, NEIGHBOURS, playerId, leaderboard)?.standing;
  return (
    <Board
      {...{ playerId, footer, leaderboard }}
      own={around && ownPlaces(playerId, leaderboard.entries ?? [], around)}
      ownRows={OWN_ROWS}
      exact={around?.exact}
      standing={
        <p className="own-standing faint number">
          {around ? <Standing {...around} /> : around === null && messages.noPlace}
        </p>
      }
    />
  );
}

/** The player with one neighbour on each side where there is one, without the players of the list. */
function ownPlaces(playerId: string, entries: readonly LeaderboardRowEntryFragment[], { neighbours }: Around) {
  const listed = new Set(entries.map((entry) => entry.playerId));
  const others = neighbours.entries.filter((entry) => !listed.has(entry.playerId));
  const own = others.findIndex((entry) => entry.playerId === playerId);
  const start = Math.max(0, Math.min(own - 1, others.length - OWN_ROWS));
  return others.slice(start, start + OWN_ROWS);
}

function Standing({ rank, exact, players, neighbours: { next } }: Around) {
  const place = exact ? formatOrdinal(rank, game.ordinals) : formatPlace(rank, exact);
  return (
    <>
      <span>{messages.standing(place, formatNumber(players))}</span>
      {next && <span className="leaderboard-distance">{behind(next, exact)}</span>}
    </>
  );
}

/** The leaderboard of this week or of the week before. */
function WeekBoard({ playerId, footer }: BoardProps) {
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
        <div className="week-bar soft number">
          <p>{isPast ? daysOf(week) : <Until time={Date.parse(weekAfter(week))} now={now} />}</p>
          <Button look="quiet" onClick={() => setPast(!isPast)}>
            {!isPast && <ChevronRight className="mirrored" aria-hidden />}
            <span>{words.other}</span>
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
          <p className="own-standing number leaderboard-distance">
            {behind({ points: last.score - own.score, rank: leaderboard.entries!.length })}
          </p>
        ) : (
          <p className="own-standing faint number">{own ? words.noRank : own === null && words.noPlace}</p>
        )
      }
    />
  );
}

/** In the player's time zone. */
function Until({ time, now }: { time: number; now: number }) {
  return (
    <>
      <span>
        {messages.week.until}{' '}
        <time dateTime={new Date(time).toISOString()} title={formatDateTime(time)}>
          {formatDayTime(time)}
        </time>
        ,
      </span>{' '}
      <span>{timeLeft(time - now)}</span>
    </>
  );
}
