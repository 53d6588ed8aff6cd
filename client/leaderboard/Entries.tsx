import { useLingui } from '@lingui/react/macro';
import { Share2 } from 'lucide-react';
import { type ComponentProps, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../ui/Button.js';
import { Failed } from '../ui/failure/NotLoaded.js';
import { isMotionReduced } from '../ui/motion.js';
import { share } from '../ui/share.js';
import { LeaderboardRow, Place } from './LeaderboardRow.js';
import type { Leaderboard } from './useBoards.js';
import './LeaderboardDialog.css';

const PLACES = 10;
const MEDALS = 3;

interface Props extends Omit<Leaderboard, 'entries'> {
  entries: readonly ComponentProps<typeof LeaderboardRow>['entry'][] | null;
  playerId: string;
  empty?: string;
  /** Whether others can still join, so that a player alone can invite them. */
  isOpen?: boolean;
}

export function Entries({ playerId, entries, failed, retry, empty, isOpen = true }: Props) {
  const { t } = useLingui();
  const list = useRef<HTMLOListElement>(null);
  useRowAnimation(list);

  if (failed) return <Failed className="faint" text={t`Failed to load leaderboard`} retry={retry} />;
  if (!entries) return <Skeleton />;
  const [first] = entries;
  if (!first) return <p className="faint centred">{empty ?? t`No players yet. Be the first!`}</p>;
  return (
    <>
      {/* Focusable, so that the keyboard can scroll it. */}
      <ol className="leaderboard-list" ref={list} tabIndex={0}>
        {entries.map((entry, at) => (
          <LeaderboardRow key={entry.playerId} entry={entry} rank={at + 1} you={playerId} />
        ))}
      </ol>
      {isOpen && entries.length === 1 && <Alone isYou={first.playerId === playerId} leads={first.score > 0} />}
      {isOpen && entries.length > 1 && entries.length < PLACES && <FreePlaces from={entries.length + 1} />}
    </>
  );
}

/** Ten rows of the final size, so that nothing moves when the players appear. */
function Skeleton() {
  const { t } = useLingui();
  return (
    <div className="leaderboard-skeleton" role="status" aria-label={t`Loading leaderboard`}>
      {Array.from({ length: PLACES }, (_, at) => (
        <i key={at} className="skeleton" />
      ))}
    </div>
  );
}

/** Places that nobody has yet: one line for each medal, and one for all others. Only the first says so to the ear. */
function FreePlaces({ from, to = PLACES }: { from: number; to?: number }) {
  const { t } = useLingui();
  const first = Math.max(from, MEDALS + 1);
  const others = first === to ? t`#${{ rank: to }}` : t`#${{ from: first }} to #${to}`;
  return (
    <div className="free-places faint">
      {Array.from({ length: first - from }, (_, at) => (
        <FreePlace key={at} place={<Place rank={from + at} />} isFirst={at === 0} />
      ))}
      {first <= to && <FreePlace place={others} isFirst={first === from} />}
    </div>
  );
}

function FreePlace({ place, isFirst }: { place: ReactNode; isFirst: boolean }) {
  const { t } = useLingui();
  return (
    <p className="free-place" aria-hidden={!isFirst}>
      <span>{place}</span> <span>{t`Up for grabs`}</span>
    </p>
  );
}

/** Below the only player of the list: the free places, and a way to invite others. */
function Alone({ isYou, leads }: { isYou: boolean; leads: boolean }) {
  const { t } = useLingui();
  const [done, setDone] = useState<Awaited<ReturnType<typeof share>>>(null);
  const address = location.origin;
  const invite = () => share(t`Can you beat me at Tic-Tac-Toe?`, address, address).then(setDone);
  return (
    <div className="alone">
      <FreePlaces from={2} to={MEDALS} />
      {isYou && (
        <div className="alone-invite faint balanced">
          {leads && <p>{t`You're in the lead.`}</p>}
          <Button onClick={() => void invite()}>
            <Share2 aria-hidden />
            {t`Invite a friend`}
          </Button>
          <p role="status">{done && (done === 'copied' ? t`Address copied` : t`Send them this address: ${address}`)}</p>
        </div>
      )}
    </div>
  );
}

const ANIMATION = { duration: 360, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' };

/** Animates rows to their new positions and fades in new rows. `data-row` identifies a row. */
function useRowAnimation(list: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<string, number>());

  useLayoutEffect(() => {
    const before = places.current;
    places.current = new Map();
    const still = before.size === 0 || isMotionReduced();
    // Not `offsetTop`, which follows the scroll position where a row is sticky.
    let top = 0;
    for (const row of list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []) {
      const owner = row.dataset.row ?? '';
      const place = top;
      places.current.set(owner, place);
      top += row.offsetHeight;
      if (still) continue;
      const from = before.get(owner);
      if (from === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], ANIMATION);
      else if (from !== place) row.animate([{ translate: `0 ${from - place}px` }, { translate: '0 0' }], ANIMATION);
    }
  });
}
