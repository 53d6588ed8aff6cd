import { memo, useEffect } from 'react';
import type { Difficulty } from '../../game/bot.js';
import { messages } from '../messages/game.js';
import type { Deliveries } from './delivery/useDelivery.js';
import { useProgress } from './useProgress.js';

interface Props {
  difficulty: Difficulty;
  isOver: boolean;
  onCounted: Deliveries['onCounted'];
}

/** What the last game has added, and the draws in a row while hard is selected. A move renders none of it. */
export const ProgressNote = memo(function ProgressNote({ difficulty, isOver, onCounted }: Props) {
  const { achievements, news, clearNews } = useProgress(onCounted);
  // News are about the game before the next one.
  useEffect(() => {
    if (!isOver) clearNews();
  }, [isOver, clearNews]);
  if (isOver && news) return news;
  if (difficulty !== 'hard' || !achievements) return null;
  return messages.play.hardDraws(achievements.hardDrawsInARow, achievements.bestHardDrawsInARow);
});
