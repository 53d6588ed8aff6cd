import { messages } from '../messages/challenge.js';
import { Button } from '../ui/Button.js';
import { nextStep } from './attempt.js';
import { Overview } from './Overview.js';
import { ShareButton } from './ShareButton.js';
import { useMyChallenge } from './useMyChallenge.js';

/** Today's challenge beside the leaderboard. It is played in a dialog of its own. */
export function ChallengePanel({ playerId, onPlay }: { playerId: string; onPlay: () => void }) {
  const challenge = useMyChallenge();
  const { mine } = challenge;
  return (
    <Overview playerId={playerId} {...challenge}>
      {mine &&
        (nextStep(mine.attempt) === 'result' ? (
          <ShareButton mine={mine} look="plain" />
        ) : (
          <Button look="main" onClick={onPlay}>
            {messages.today[nextStep(mine.attempt)]}
          </Button>
        ))}
    </Overview>
  );
}
