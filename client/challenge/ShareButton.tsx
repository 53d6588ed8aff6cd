import { Share2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Result } from '../../game/rules.js';
import { messages } from '../messages/challenge.js';
import { Button } from '../ui/Button.js';
import { share } from '../ui/share.js';
import { isDone } from './attempt.js';
import type { MyChallenge } from './useChallenge.js';

/** Blue and orange differ for every kind of colour vision; they are the colours of X and O. */
const SQUARES: Readonly<Record<Result, string>> = { win: '🟦', draw: '⬜', lose: '🟧' };

/** Shares the result of a finished attempt. */
export function ShareButton({ mine }: { mine: MyChallenge }) {
  const [said, setSaid] = useState<ReactNode>(null);
  if (!isDone(mine.attempt)) return null;

  const onShare = async () => {
    const text = shareText(mine);
    const url = location.origin;
    const done = await share(text, url);
    if (done === 'copied') setSaid(messages.copied);
    else if (done === 'failed') setSaid(<Failed text={`${text}\n${url}`} />);
    else setSaid(null);
  };

  return (
    <div className="challenge-share">
      <Button look="main" onClick={() => void onShare()}>
        <Share2 aria-hidden />
        {messages.share}
      </Button>
      <div role="status">{said}</div>
    </div>
  );
}

/** The result without squares, seeds or par, so that it spoils nothing. A player who is hidden has no place. */
function shareText({ attempt, place }: MyChallenge): string {
  const date = new Date(attempt.day).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  const squares = attempt.games.map(({ result }) => SQUARES[result ?? 'lose']).join('');
  const total = attempt.totalMoves === null ? '' : ` in ${attempt.totalMoves}`;
  return `Tic-Tac-Toe challenge, ${date}\n${squares}${total}${place === null ? '' : ` · place ${place}`}`;
}

function Failed({ text }: { text: string }) {
  return (
    <>
      {messages.notShared}
      <pre tabIndex={0}>{text}</pre>
    </>
  );
}
