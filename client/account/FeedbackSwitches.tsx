import { useId, useState } from 'react';
import { messages } from '../messages/account.js';
import { feedbackSwitches, type FeedbackKind } from '../ui/feedbackSwitches.js';
import './FeedbackSwitches.css';

/** A computer has the function too, but nothing that vibrates. */
const canVibrate = () => 'vibrate' in navigator && window.matchMedia('(pointer: coarse)').matches;

/** Sound and vibration in this browser. */
export function FeedbackSwitches({ onSwitchedOn }: { onSwitchedOn: (kind: FeedbackKind) => void }) {
  const id = useId();
  const [vibrates] = useState(canVibrate);
  return (
    <section aria-labelledby={id} className="feedback-switches">
      <h3 id={id}>{vibrates ? messages.feedback.both : messages.feedback.sound}</h3>
      <Switch kind="sound" onSwitchedOn={onSwitchedOn} />
      {vibrates && <Switch kind="vibration" onSwitchedOn={onSwitchedOn} />}
    </section>
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
