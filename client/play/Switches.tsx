import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { isMotionReduced } from '../ui/motion.js';
import { type FeedbackKind, feedbackSwitches } from '../ui/switches.js';
import { previewFeedback } from './feedback.js';

/** A computer has the function too, but nothing that vibrates. With reduced motion, nothing may. */
const canVibrate = () => 'vibrate' in navigator && window.matchMedia('(pointer: coarse)').matches && !isMotionReduced();

/** What the page may add to a move: sound, and vibration where something can vibrate. */
export function Switches() {
  const [vibrates] = useState(canVibrate);
  return (
    <>
      <Switch kind="sound" />
      {vibrates && <Switch kind="vibration" />}
    </>
  );
}

function Switch({ kind }: { kind: FeedbackKind }) {
  const { t } = useLingui();
  const [on, setOn] = feedbackSwitches[kind].useSwitch();
  return (
    <label className="switch">
      <input
        type="checkbox"
        checked={on}
        onChange={({ target }) => {
          setOn(target.checked);
          if (target.checked) previewFeedback(kind);
        }}
      />
      <span>{kind === 'sound' ? t`Play sounds` : t`Vibrate`}</span>
    </label>
  );
}
