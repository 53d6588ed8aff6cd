import { useRef } from 'react';
import { messages } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { passFocusOn } from '../ui/passFocusOn.js';
import { LeaderboardRow } from './LeaderboardRow.js';
import { OwnStanding } from './OwnStanding.js';
import { useRowAnimation } from './useRowAnimation.js';
import { useLeaderboard } from './useLeaderboard.js';
import './LeaderboardDialog.css';

export function LeaderboardDialog({ playerId, onClose }: { playerId: string; onClose: () => void }) {
  const leaderboard = useLeaderboard();
  const { entries } = leaderboard;
  const isOutside = Boolean(entries?.length) && !entries?.some((entry) => entry.playerId === playerId);
  return (
    <Dialog
      title={messages.leaderboard.title}
      subtitle={messages.leaderboard.subtitle}
      onClose={onClose}
      footer={
        <>
          {/* Outside the scrolling list, so that it is always visible. Its line stays reserved while empty. */}
          <p className="own-standing">{isOutside && <OwnStanding entries={entries} />}</p>
          <Button look="main" onClick={onClose}>
            {messages.leaderboard.close}
          </Button>
        </>
      }
    >
      <div className="leaderboard">
        <Entries playerId={playerId} {...leaderboard} />
      </div>
    </Dialog>
  );
}

function Entries({ playerId, entries, failed, retry }: { playerId: string } & ReturnType<typeof useLeaderboard>) {
  const list = useRef<HTMLOListElement>(null);
  useRowAnimation(list);

  if (failed) {
    return (
      <div className="leaderboard-empty">
        <p role="alert">{messages.leaderboard.failed}</p>
        <Button ref={passFocusOn} onClick={retry}>
          {messages.leaderboard.retry}
        </Button>
      </div>
    );
  }
  if (!entries) return <Skeleton />;
  if (entries.length === 0) return <p className="leaderboard-empty">{messages.leaderboard.empty}</p>;
  return (
    // Focusable, so that the keyboard can scroll it.
    <ol className="leaderboard-list" ref={list} tabIndex={0}>
      {entries.map((entry, at) => (
        <LeaderboardRow key={entry.playerId} entry={entry} rank={at + 1} isYou={entry.playerId === playerId} />
      ))}
    </ol>
  );
}

/** Ten rows of the final size, so that nothing moves when the players appear. */
function Skeleton() {
  return (
    <div className="leaderboard-skeleton" role="status" aria-label={messages.leaderboard.loading}>
      {Array.from({ length: 10 }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}
