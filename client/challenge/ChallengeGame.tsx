import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import type { Game } from '../../game/rules.js';
import { marked, RESULTS, TURNS, UNSCORED } from '../messages/words.js';
import { Announcer } from '../ui/Announcer.js';
import { Board } from '../ui/board/Board.js';
import { Button } from '../ui/Button.js';
import { formatTime } from '../ui/time/formatTime.js';
import type { ChallengeGame as ChallengeGameData } from './attempt.js';
import { type Challenge, TROUBLE } from './useChallenge.js';

/** A game for practice has no server to hear from. */
type Props = Pick<Challenge, 'next' | 'lastSquare' | 'mark' | 'start' | 'leaveBoard'> &
  Partial<Challenge> & { game: ChallengeGameData; board: Game };

export function ChallengeGame({ game: shown, board, ...challenge }: Props) {
  const { t } = useLingui();
  const { mine, next, counted, bonus, lastSquare, trouble, starting, mark, retry, start, leaveBoard } = challenge;
  const { outcome, turn } = board;
  const results = counted ? RESULTS : UNSCORED;
  const status = outcome ? t(results[outcome.result]) : turn && t(TURNS[turn]);
  const move = lastSquare !== null && marked(board.board[lastSquare], lastSquare);
  const isSaved = shown.result !== null;
  // The server counts the games over the limit after the day.
  const limit = !counted && mine && t`This one counts from ${{ time: formatTime(mine.endsAt) }}.`;
  const note = isSaved ? (bonus ? t`🎉 3 WINS IN A ROW! +1 BONUS POINT!` : limit) : outcome && t`Saving…`;
  const said = trouble ? t(TROUBLE[trouble]) : note;

  // The board is the reason for the dialog, so the keyboard begins there.
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => whole.current?.querySelector<HTMLElement>('[data-square="4"]')?.focus(), [shown.number]);

  return (
    <div ref={whole} className="challenge-game">
      <p className="challenge-status" data-result={outcome?.result}>
        {status}
      </p>
      <Board key={shown.number} game={board} onMark={mark} />
      <div className="challenge-next soft balanced">
        {said && (
          <p key={said} role={trouble ? 'alert' : undefined} data-bonus={bonus}>
            {said}
          </p>
        )}
        {trouble === 'offline' && (
          <Button look="main" onClick={retry}>
            {t`Try again`}
          </Button>
        )}
        {isSaved && (
          <Button look="main" autoFocus aria-disabled={starting} onClick={next ? start : leaveBoard}>
            {next ? t`Next: game ${{ number: next.number }} of ${{ of: CHALLENGE_GAMES }}` : t`See your result`}
          </Button>
        )}
      </div>
      <Announcer text={[move, status, isSaved && note].filter(Boolean).join(' ')} />
    </div>
  );
}
