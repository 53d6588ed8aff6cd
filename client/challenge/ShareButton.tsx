import { Share2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { messages } from '../messages/challenge.js';
import { Button } from '../ui/Button.js';
import { share } from '../ui/share.js';
import { isDone, positionState } from './attempt.js';
import { shareText } from './share.js';
import type { MyChallenge } from './useMyChallenge.js';
import './ShareButton.css';

/** Shares the result of a finished attempt. */
export function ShareButton({ mine, look }: { mine: MyChallenge; look: 'main' | 'plain' }) {
  const [said, setSaid] = useState<ReactNode>(null);
  const { attempt, place, daysInARow } = mine;
  if (!isDone(attempt)) return null;

  const onShare = async () => {
    const results = attempt.games.map(({ result }) => result ?? 'lose');
    const { day, totalMoves } = attempt;
    const text = shareText({ day, results, totalMoves, position: positionState(attempt), place, daysInARow });
    const url = location.origin;
    const done = await share(text, url);
    if (done === 'copied') setSaid(messages.copied);
    else if (done === 'failed') setSaid(<Failed text={`${text}\n${url}`} />);
    else setSaid(null);
  };

  return (
    <div className="challenge-share">
      <Button look={look} onClick={() => void onShare()}>
        <Share2 aria-hidden />
        {messages.share}
      </Button>
      <div role="status">{said}</div>
    </div>
  );
}

function Failed({ text }: { text: string }) {
  return (
    <>
      {messages.notShared}
      <pre tabIndex={0}>{text}</pre>
    </>
  );
}
