import { useEffect, useState } from 'react';
import { isMotionReduced } from '../ui/motion.js';

const STEP_MS = 180;
/** A larger difference, as after games in another browser, takes larger steps. */
const STEPS = 6;

/** Follows a rising value in a few steps, and any other at once. */
export function useCountUp(value: number): number {
  const [shown, setShown] = useState(value);
  if (shown > value || (shown < value && isMotionReduced())) setShown(value);

  useEffect(() => {
    if (shown >= value) return;
    const timer = setTimeout(() => setShown(shown + Math.ceil((value - shown) / STEPS)), STEP_MS);
    return () => clearTimeout(timer);
  }, [shown, value]);

  return shown;
}
