import { useEffect, useState } from 'react';
import { WINS_FOR_BONUS } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { isMotionReduced } from '../ui/motion.js';

const BONUS_MS = 1500;

type Streak = Pick<Stats, 'winStreak' | 'wins'>;

/** The win streak, which stays at three for a moment when the third win in a row has started it again. */
export function useShownStreak({ winStreak, wins }: Streak): number {
  const [last, setLast] = useState<Streak>({ winStreak, wins });
  const [full, setFull] = useState(false);
  if (last.winStreak !== winStreak || last.wins !== wins) {
    setLast({ winStreak, wins });
    setFull(isThirdWin(last, { winStreak, wins }) && !isMotionReduced());
  }

  useEffect(() => {
    if (!full) return;
    const timer = setTimeout(() => setFull(false), BONUS_MS);
    return () => clearTimeout(timer);
  }, [full]);

  return full ? WINS_FOR_BONUS : winStreak;
}

function isThirdWin(before: Streak, after: Streak): boolean {
  return before.winStreak === WINS_FOR_BONUS - 1 && after.winStreak === 0 && after.wins === before.wins + 1;
}
