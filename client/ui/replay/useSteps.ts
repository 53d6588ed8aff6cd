import { useEffect, useState, type KeyboardEvent } from 'react';

const MOVE_MS = 700;

/** The step of a replay, from 0 to `last`, and the functions that change it. It begins at `begin`. */
export function useSteps(last: number, begin: number) {
  const [step, setStep] = useState(begin);
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
    // Show the first move at once, so that the button reacts visibly.
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
    // Space activates a focused button.
    if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return { step, playing, goTo, togglePlay, onKeyDown };
}
