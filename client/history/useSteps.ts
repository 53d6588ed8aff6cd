import { useEffect, useState } from 'react';
import type { KeyboardEvent } from 'react';

const MOVE_MS = 700;

/** Where a replay stands, from 0 (nothing played yet) to `last`, and the ways to move it. */
export function useSteps(last: number) {
  const [step, setStep] = useState(0);
  const [running, setRunning] = useState(false);
  const playing = running && step < last;

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => setStep(step + 1), MOVE_MS);
    return () => clearTimeout(timer);
  }, [playing, step]);

  const goTo = (to: number) => {
    setRunning(false);
    setStep(Math.min(last, Math.max(0, to)));
  };

  const togglePlay = () => {
    setRunning(!playing);
    // The first move appears at once: a button that seems to do nothing is pressed again.
    if (!playing) setStep(step === last ? Math.min(1, last) : step + 1);
  };

  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => goTo(step - 1),
    ArrowRight: () => goTo(step + 1),
    Home: () => goTo(0),
    End: () => goTo(last),
    ' ': togglePlay,
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // Space presses the button that has the focus.
    if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return { step, playing, goTo, togglePlay, onKeyDown };
}
