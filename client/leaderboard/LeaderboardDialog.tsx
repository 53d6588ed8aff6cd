import { useQuery } from '@apollo/client/react';
import { useLingui } from '@lingui/react/macro';
import { ChevronRight } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { weekAfter, weekBefore, weekOf } from '../../game/week.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { CONTACT_URL } from '../data/settings.js';
import {
  LeaderboardAroundDocument,
  type LeaderboardAroundQuery,
  type LeaderboardRowEntryFragment,
  MyChallengeDocument,
  MyWeekDocument,
  RivalsWeekDocument,
} from '../graphql/generated.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { Tabs } from '../ui/Tabs.js';
import { useNow } from '../ui/time/clock.js';
import { daysOf, formatDayTime, timeLeft } from '../ui/time/formatTime.js';
import { Board, type BoardProps } from './Board.js';
import { Entries } from './Entries.js';
import { useLeaderboard, useOwn, useWeek } from './useBoards.js';
import './LeaderboardDialog.css';

const BOARDS = { all: AllTime, week: WeekBoard, rivals: RivalsBoard };

export function LeaderboardDialog({ playerId, onClose }: { playerId: string; onClose: () => void }) {
  const { t } = useLingui();
  const [selected, select] = useState<keyof typeof BOARDS>('all');
  const [footer, setFooter] = useState<HTMLElement | null>(null);
  // The tab answers the press first.
  const shown = useDeferredValue(selected);
  const ShownBoard = BOARDS[shown];
  // Today's challenge has loaded them.
  const known = useQuery(MyChallengeDocument, { fetchPolicy: 'cache-only' }).data;
  const tabs = [
    { name: 'all' as const, label: t`All time` },
    { name: 'week' as const, label: t`Week` },
    ...(known?.me.rivals.length || shown === 'rivals' ? [{ name: 'rivals' as const, label: t`Rivals` }] : []),
  ];
  return (
    <Dialog
      title={t`Leaderboard`}
      subtitle={shown === 'rivals' ? t`This week's points` : t`Top 10 Players`}
      onClose={onClose}
      // Outside the scrolling list, so that the own place is always visible.
      footer={<div className="leaderboard-own" ref={setFooter} />}
    >
      <Tabs label={t`Leaderboard`} tabs={tabs} selected={selected} shown={shown} onSelect={select}>
        <ShownBoard playerId={playerId} footer={footer} />
        {CONTACT_URL && <a href={CONTACT_URL}>{t`Report a name`}</a>}
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
  const { t } = useLingui();
  const leaderboard = useLeaderboard();
  const around = useOwn(LeaderboardAroundDocument, NEIGHBOURS, playerId, leaderboard)?.standing;
  return (
    <Board
      {...{ playerId, footer, leaderboard }}
      own={around && ownPlaces(playerId, leaderboard.entries ?? [], around)}
      ownRows={OWN_ROWS}
      exact={around?.exact}
      noPlace={t`Finish a game to get a place.`}
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
  const { t } = useLingui();
  const now = useNow();
  const thisWeek = weekOf(new Date(now));
  const [isPast, setPast] = useState(false);
  const week = isPast ? weekBefore(thisWeek) : thisWeek;
  const end = Date.parse(weekAfter(week));
  const words = isPast
    ? { other: t`This week`, empty: t`Nobody played that week.`, noPlace: t`You didn't play that week.` }
    : {
        other: t`Last week`,
        empty: t`The week is young: your next win takes the lead!`,
        noPlace: t`Finish a game to get a place this week.`,
      };

  const leaderboard = useWeek(week, isPast);
  const own = useOwn(MyWeekDocument, { week }, playerId, leaderboard)?.week;
  return (
    <Board
      {...{ playerId, footer, leaderboard, week }}
      bar={
        <div className="week-bar soft number">
          <p>
            {isPast
              ? daysOf(week)
              : t`Until ${{ time: formatDayTime(end) }}, ${{ left: timeLeft(end - now).replaceAll(' ', '\u00a0') }}`}
          </p>
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

/** The points of this week, of the player and the rivals. */
function RivalsBoard({ playerId }: BoardProps) {
  const { data, failed, retry } = useRetryingQuery(RivalsWeekDocument);
  const own = data && { ...data.me, playerId, score: data.me.week?.score ?? 0 };
  const rivals = data?.me.rivals.map((rival) => ({ ...rival, score: rival.weekScore })) ?? [];
  const entries = own ? [own, ...rivals].sort((one, other) => other.score - one.score) : null;
  return (
    <div className="leaderboard">
      <Entries {...{ playerId, entries, failed, retry }} isOpen={false} />
    </div>
  );
}
