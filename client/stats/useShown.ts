import { useEffect, useState } from 'react';
import { BONUS_POINTS, POINTS, WINS_FOR_BONUS } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { isMotionReduced } from '../ui/motion.js';

const STEP_MS = 180;
/** A larger rise comes from games in another browser. */
const MOST_POINTS_OF_A_GAME = POINTS.win + BONUS_POINTS;

/** Follows the points of a won game one by one, and any other change at once. */
export function useCountUp(score: number): number {
  const [shown, setShown] = useState(score);
  const left = score - shown;
  const counts = left > 0 && left <= MOST_POINTS_OF_A_GAME && !isMotionReduced();
  if (left !== 0 && !counts) setShown(score);

  useEffect(() => {
    if (!counts) return;
    const timer = setTimeout(() => setShown(shown + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [counts, shown]);

  return shown;
}

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
