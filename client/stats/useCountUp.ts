import { useEffect, useState } from 'react';
import { BONUS_POINTS, POINTS } from '../../game/scoring.js';
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
