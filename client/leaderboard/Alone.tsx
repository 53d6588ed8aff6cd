import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { messages } from '../messages/leaderboard.js';
import { Button } from '../ui/Button.js';
import { share } from '../ui/share.js';
import { FreePlaces } from './FreePlaces.js';
import './Alone.css';

/** Below the only player of the list: the free places, and a way to invite others. */
export function Alone({ isYou }: { isYou: boolean }) {
  const { alone } = messages;
  const [said, setSaid] = useState('');
  return (
    <div className="alone">
      <FreePlaces from={2} to={3} />
      {isYou && (
        <div className="alone-invite">
          <p>{alone.you}</p>
          <Button onClick={() => void invite().then(setSaid)}>
            <Share2 aria-hidden />
            {alone.invite}
          </Button>
          <p role="status">{said}</p>
        </div>
      )}
    </div>
  );
}

/** Returns what happened, for the player. */
async function invite(): Promise<string> {
  const { text, copied, notCopied } = messages.alone;
  const url = location.origin;
  const done = await share(text, url, url);
  if (done === 'failed') return notCopied(url);
  return done === 'copied' ? copied : '';
}
