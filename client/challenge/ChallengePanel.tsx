import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { messages } from '../messages/challenge.js';
import { Button } from '../ui/Button.js';
import { isDone, isUnderWay } from './attempt.js';
import { Overview } from './Overview.js';
import { ShareButton } from './ShareButton.js';
import { useMyChallenge } from './useMyChallenge.js';
import type { MyChallenge } from './useMyChallenge.js';

/** Today's challenge beside the leaderboard. It is played in a dialog of its own. */
export function ChallengePanel({ playerId, onPlay }: { playerId: string; onPlay: () => void }) {
  const challenge = useMyChallenge();
  const { mine } = challenge;
  return (
    <Overview playerId={playerId} {...challenge}>
      {mine &&
        (isDone(mine.attempt) ? (
          <ShareButton mine={mine} look="plain" />
        ) : (
          <Button look="main" onClick={onPlay}>
            {nameOf(mine)}
          </Button>
        ))}
    </Overview>
  );
}

function nameOf({ attempt: { games } }: MyChallenge): string {
  const underWay = games.find(isUnderWay);
  if (underWay) return messages.goOn(underWay.number, CHALLENGE_GAMES);
  const next = games.find(({ started }) => !started);
  return next && next.number > 1 ? messages.next(next.number, CHALLENGE_GAMES) : messages.open;
}
