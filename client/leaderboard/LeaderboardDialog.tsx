import { useRef } from 'react';
import type { CSSProperties } from 'react';
import { messages } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { passFocusOn } from '../ui/passFocusOn.js';
import { Alone } from './Alone.js';
import { distanceOf } from './distance.js';
import { LeaderboardRow } from './LeaderboardRow.js';
import { OwnPlace } from './OwnPlace.js';
import { OWN_ROWS, ownPlaces } from './ownPlaces.js';
import { useAround } from './useAround.js';
import { useRowAnimation } from './useRowAnimation.js';
import { useLeaderboard } from './useLeaderboard.js';
import './LeaderboardDialog.css';

export function LeaderboardDialog({ playerId, onClose }: { playerId: string; onClose: () => void }) {
  const leaderboard = useLeaderboard();
  const { entries } = leaderboard;
  const isOutside = Boolean(entries?.length) && !entries?.some((entry) => entry.playerId === playerId);
  const around = useAround(isOutside ? entries : null);
  const places = around && entries ? ownPlaces(playerId, entries, around) : [];
  // Until the answer, the place keeps its room, so that nothing moves.
  const ownRows = isOutside && around !== null ? (around ? places.length : OWN_ROWS) : 0;
  const style = { '--own-rows': ownRows } as CSSProperties;
  return (
    <Dialog
      title={messages.leaderboard.title}
      subtitle={messages.leaderboard.subtitle}
      onClose={onClose}
      footer={
        <>
          {/* Outside the scrolling list, so that it is always visible. Its line stays reserved while empty. */}
          {isOutside ? (
            <OwnPlace playerId={playerId} places={around === null ? null : places} around={around} style={style} />
          ) : (
            <p className="own-standing leaderboard-distance">{entries && distanceOf(playerId, entries)}</p>
          )}
          <Button look="main" onClick={onClose}>
            {messages.leaderboard.close}
          </Button>
        </>
      }
    >
      <div className="leaderboard" style={style}>
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
    <>
      {/* Focusable, so that the keyboard can scroll it. */}
      <ol className="leaderboard-list" ref={list} tabIndex={0}>
        {entries.map((entry, at) => (
          <LeaderboardRow key={entry.playerId} entry={entry} rank={at + 1} isYou={entry.playerId === playerId} />
        ))}
      </ol>
      {entries.length === 1 && <Alone isYou={entries[0]?.playerId === playerId} />}
    </>
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
