import { useRef } from 'react';
import type { LeaderboardRowEntryFragment } from '../graphql/generated.js';
import { messages } from '../messages/leaderboard.js';
import { Button } from '../ui/Button.js';
import { passFocusOn } from '../ui/passFocusOn.js';
import { Alone } from './Alone.js';
import { FreePlaces } from './FreePlaces.js';
import { LeaderboardRow } from './LeaderboardRow.js';
import { useRowAnimation } from './useRowAnimation.js';

const PLACES = 10;

interface Props {
  playerId: string;
  /** Null while they load. */
  entries: readonly LeaderboardRowEntryFragment[] | null;
  failed: boolean;
  retry: () => void;
  empty?: string;
  /** Whether others can still join, so that a player alone can invite them. */
  isOpen?: boolean;
}

/** The ten players of a leaderboard, or why there are none. */
export function Entries({ playerId, entries, failed, retry, empty = messages.empty, isOpen = true }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useRowAnimation(list);

  if (failed) {
    return (
      <div className="leaderboard-empty centred">
        <p role="alert">{messages.failed}</p>
        <Button ref={passFocusOn} onClick={retry}>
          {messages.retry}
        </Button>
      </div>
    );
  }
  if (!entries) return <Skeleton />;
  if (entries.length === 0) return <p className="leaderboard-empty centred">{empty}</p>;
  return (
    <>
      {/* Focusable, so that the keyboard can scroll it. */}
      <ol className="leaderboard-list" ref={list} tabIndex={0}>
        {entries.map((entry, at) => (
          <LeaderboardRow key={entry.playerId} entry={entry} rank={at + 1} isYou={entry.playerId === playerId} />
        ))}
      </ol>
      {isOpen && entries.length === 1 && <Alone isYou={entries[0]?.playerId === playerId} />}
      {isOpen && entries.length > 1 && entries.length < PLACES && <FreePlaces from={entries.length + 1} to={PLACES} />}
    </>
  );
}

/** Ten rows of the final size, so that nothing moves when the players appear. */
function Skeleton() {
  return (
    <div className="leaderboard-skeleton" role="status" aria-label={messages.loading}>
      {Array.from({ length: PLACES }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}
