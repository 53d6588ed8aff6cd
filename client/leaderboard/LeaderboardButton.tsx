import { Trophy } from 'lucide-react';
import { messages } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { usePrefetchLeaderboard } from './topTen.js';

export function LeaderboardButton({ onOpen }: { onOpen: () => void }) {
  const prefetch = usePrefetchLeaderboard();
  return (
    <Button onClick={onOpen} onPointerEnter={prefetch} onFocus={prefetch}>
      <Trophy aria-hidden />
      {/* Narrow screens hide it visually only. */}
      <span className="header-label">{messages.leaderboard}</span>
    </Button>
  );
}
