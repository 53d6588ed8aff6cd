import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import type { Stats } from '../../game/scoring.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { isDone } from './attempt.js';
import { ChallengeGame } from './ChallengeGame.js';
import { askedDuel } from './duel.js';
import { Overview } from './Overview.js';
import { DareButton } from './Rivals.js';
import { TROUBLE, useChallenge } from './useChallenge.js';
import { gameOf } from './words.js';
import './challenge.css';

interface Props {
  playerId: string;
  onCounted: (stats: Stats) => void;
  onBonus: (bonus: boolean) => void;
  onClose: () => void;
}

/** Plays today's challenge: five games one after the other, and then the result. */
export function ChallengeDialog({ playerId, onCounted, onBonus, onClose }: Props) {
  const { t } = useLingui();
  const challenge = useChallenge(onCounted);
  const { bonus, mine, failed, reload, next, shown, board, trouble, starting, start } = challenge;
  const [duel] = useState(askedDuel);
  useEffect(() => {
    if (bonus) onBonus(true);
    return () => void (bonus && onBonus(false));
  }, [bonus, onBonus]);
  const leave = () => {
    // The duel waits in the address until today's games are over. Nobody plays those of another day.
    if (duel && mine && (isDone(mine.attempt) || duel.day !== mine.attempt.day)) history.replaceState(null, '', '/');
    onClose();
  };
  return (
    <Dialog
      title={t`Today's challenge`}
      subtitle={shown ? gameOf(shown) : t`Five games, the same for everybody`}
      onClose={leave}
      closeLook="plain"
    >
      {shown && board ? (
        <ChallengeGame {...challenge} game={shown} board={board} />
      ) : (
        <Overview playerId={playerId} duel={duel} mine={mine} failed={failed} reload={reload}>
          {trouble && (
            <p className="balanced" role="alert">
              {t(TROUBLE[trouble])}
            </p>
          )}
          {next && (
            <Button look="main" autoFocus aria-disabled={starting} onClick={start}>
              {t`Start game ${{ number: next.number }} of ${{ of: CHALLENGE_GAMES }}`}
            </Button>
          )}
          {mine && <DareButton playerId={playerId} mine={mine} label={t`Dare somebody`} />}
        </Overview>
      )}
    </Dialog>
  );
}
