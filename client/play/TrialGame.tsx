import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { Square } from '../../game/board.js';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { noStats } from '../../game/scoring.js';
import { TURNS, UNSCORED } from '../messages/words.js';
import { Announcer } from '../ui/Announcer.js';
import { Button } from '../ui/Button.js';
import { Board } from '../ui/board/Board.js';
import { announceMove, markSquare, playBotMove, restoredRound, startRound, storeRound, type Round } from './round.js';

/** Unscored games against Easy, for visitors. `first` is the pressed square or -1, and null after a reload. */
export function TrialGame({ first, dared }: { first: number | null; dared?: boolean }) {
  const { t } = useLingui();
  const [round, setRound] = useState(() => restoredRound(null) ?? mark(startRound('easy', null), first));
  const { turn, outcome } = round.game;
  useEffect(() => storeRound(null, round), [round]);

  useEffect(() => {
    if (turn !== 'O') return;
    const timer = setTimeout(() => setRound(playBotMove), BOT_MOVE_DELAY);
    return () => clearTimeout(timer);
  }, [turn]);

  // The pressed button is gone, and its focus with it.
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (first === null || document.activeElement !== document.body) return;
    whole.current?.querySelector<HTMLElement>(`[data-square="${first < 0 ? 4 : first}"]`)?.focus();
  }, [first]);

  // The pressed button is gone here too.
  const playAgain = () => {
    setRound(startRound('easy', null));
    whole.current?.querySelector<HTMLElement>('[data-square="4"]')?.focus();
  };

  const status = turn && t(TURNS[turn]);
  const over = dared ? t`Sign in and play the same five` : t`Sign in to play for points`;
  const result = outcome && t(UNSCORED[outcome.result]);
  return (
    <div ref={whole} className="trial">
      <Board game={round.game} onMark={(square) => setRound((now) => mark(now, square))} />
      <p className="trial-status">
        {result ? (
          <>
            <b>{result}</b>{' '}
            <span className="trial-over actions">
              <span>{over}</span>{' '}
              <Button look="quiet" onClick={playAgain}>
                {t`Play again`}
              </Button>
            </span>
          </>
        ) : (
          status
        )}
      </p>
      <Announcer text={[announceMove(round), result ? `${result} ${over}` : status].join(' ')} />
    </div>
  );
}

/** Ignores marks that are not allowed, also on no square at all. */
function mark(round: Round, square: number | null): Round {
  return markSquare(round, square as Square, noStats);
}
