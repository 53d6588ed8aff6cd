import { useDeferredValue, useState } from 'react';
import { messages } from '../messages/leaderboard.js';
import { Dialog } from '../ui/Dialog.js';
import { Tabs } from '../ui/Tabs.js';
import { AllTime } from './AllTime.js';
import { WeekBoard } from './WeekBoard.js';
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
