import { ChevronRight } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { weekAfter, weekBefore, weekOf } from '../../game/week.js';
import { CONTACT_URL } from '../data/settings.js';
import {
  LeaderboardAroundDocument,
  type LeaderboardAroundQuery,
  type LeaderboardRowEntryFragment,
  MyWeekDocument,
} from '../graphql/generated.js';
import { messages } from '../messages/leaderboard.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { Tabs } from '../ui/Tabs.js';
import { useNow } from '../ui/time/clock.js';
import { daysOf, formatDayTime, timeLeft } from '../ui/time/formatTime.js';
import { Board, type BoardProps } from './Board.js';
import { useLeaderboard, useOwn, useWeek } from './useBoards.js';
import './LeaderboardDialog.css';

const BOARDS = { all: AllTime, week: WeekBoard };

const { tabs } = messages;
const TABS = (['all', 'week'] as const).map((name) => ({ name, label: tabs[name] }));

export function LeaderboardDialog({ playerId, onClose }: { playerId: string; onClose: () => void }) {
  const [selected, select] = useState<keyof typeof BOARDS>('all');
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
      <Tabs label={messages.title} tabs={TABS} selected={selected} shown={shown} onSelect={select}>
        <Board playerId={playerId} footer={footer} />
        {CONTACT_URL && <a href={CONTACT_URL}>{messages.report}</a>}
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
      noPlace={messages.noPlace}
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

/** The leaderboard of this week or of the week before. */
function WeekBoard({ playerId, footer }: BoardProps) {
  const now = useNow();
  const thisWeek = weekOf(new Date(now));
  const [isPast, setPast] = useState(false);
  const week = isPast ? weekBefore(thisWeek) : thisWeek;
  const end = Date.parse(weekAfter(week));
  const { past, current } = messages.week;
  const words = isPast ? past : current;

  const leaderboard = useWeek(week, isPast);
  const own = useOwn(MyWeekDocument, { week }, playerId, leaderboard)?.week;
  return (
    <Board
      {...{ playerId, footer, leaderboard, week }}
      bar={
        <div className="week-bar soft number">
          <p>{isPast ? daysOf(week) : messages.week.until(formatDayTime(end), timeLeft(end - now))}</p>
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
      noPlace={words.noPlace}
    />
  );
}
