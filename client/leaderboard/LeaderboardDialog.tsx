import { useDeferredValue, useState } from 'react';
import type { ReactNode } from 'react';
import { messages } from '../messages/leaderboard.js';
import { Dialog } from '../ui/Dialog.js';
import { Tabs } from '../ui/Tabs.js';
import { AllTime } from './all-time/AllTime.js';
import { WeekBoard } from './week/WeekBoard.js';
import './LeaderboardDialog.css';

const BOARDS = { all: AllTime, week: WeekBoard };
type Name = keyof typeof BOARDS | 'challenge';

const { tabs } = messages;
const TABS = (['all', 'week', 'challenge'] as const).map((name) => ({ name, label: tabs[name] }));

interface Props {
  playerId: string;
  /** The content of the last tab, which another feature draws. */
  challenge: ReactNode;
  onClose: () => void;
}

export function LeaderboardDialog({ playerId, challenge, onClose }: Props) {
  const [selected, setSelected] = useState<Name>('all');
  const [footer, setFooter] = useState<HTMLElement | null>(null);
  // The tab answers the press first.
  const shown = useDeferredValue(selected);
  const Board = shown === 'challenge' ? null : BOARDS[shown];
  return (
    <Dialog
      title={messages.title}
      subtitle={messages.subtitle}
      onClose={onClose}
      // Outside the scrolling list, so that the own place is always visible.
      footer={<div className="leaderboard-own" ref={setFooter} />}
    >
      <Tabs label={messages.title} tabs={TABS} selected={selected} shown={shown} onSelect={setSelected}>
        {Board ? <Board playerId={playerId} footer={footer} /> : <div className="leaderboard-other">{challenge}</div>}
      </Tabs>
    </Dialog>
  );
}
