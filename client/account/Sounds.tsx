import { useState } from 'react';
import { messages } from '../messages/account.js';
import { isMotionReduced } from '../ui/motion.js';
import { type FeedbackKind, feedbackSwitches } from '../ui/switches.js';
import { Section } from './parts.js';

export interface SoundsProps {
  onFeedbackOn: (kind: FeedbackKind) => void;
}

/** A computer has the function too, but nothing that vibrates. With reduced motion, nothing may. */
const canVibrate = () => 'vibrate' in navigator && window.matchMedia('(pointer: coarse)').matches && !isMotionReduced();

export function Sounds({ onFeedbackOn }: SoundsProps) {
  const [vibrates] = useState(canVibrate);
  return (
    <Section title={vibrates ? messages.feedback.both : messages.feedback.sound} className="account-switches">
      <Switch kind="sound" onSwitchedOn={onFeedbackOn} />
      {vibrates && <Switch kind="vibration" onSwitchedOn={onFeedbackOn} />}
    </Section>
  );
}

function Switch({ kind, onSwitchedOn }: { kind: FeedbackKind; onSwitchedOn: (kind: FeedbackKind) => void }) {
  const [on, setOn] = feedbackSwitches[kind].useSwitch();
  return (
    <label className="switch">
      <input
        type="checkbox"
        checked={on}
        onChange={({ target }) => {
          setOn(target.checked);
          if (target.checked) onSwitchedOn(kind);
        }}
      />
      {messages.switches[kind]}
    </label>
  );
}
