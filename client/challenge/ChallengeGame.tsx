import { useEffect, useRef } from 'react';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import type { Game } from '../../game/rules.js';
import { messages } from '../messages/challenge.js';
import { messages as game } from '../messages/game.js';
import { Announcer } from '../ui/Announcer.js';
import { Board } from '../ui/board/Board.js';
import { Button } from '../ui/Button.js';
import type { ChallengeGame as ChallengeGameData } from './attempt.js';
import type { Challenge } from './useChallenge.js';

interface Props extends Omit<Challenge, 'board'> {
  game: ChallengeGameData;
  board: Game;
  /** The game after this one; null while this one is under way, and after the last. */
  next: ChallengeGameData | null;
}

export function ChallengeGame({ game: shown, board, next, ...challenge }: Props) {
  const { lastSquare, trouble, starting, mark, retry, start, leaveBoard } = challenge;
  const { outcome, turn } = board;
  const status = outcome ? game.play.result[outcome.result] : turn && game.play.status[turn];
  const move = lastSquare !== null && game.announcements.marked(board.board[lastSquare], lastSquare);
  const isCounted = shown.result !== null;

  // The board is the reason for the dialog, so the keyboard begins there.
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => whole.current?.querySelector<HTMLElement>('[data-square="4"]')?.focus(), [shown.number]);

  return (
    <div ref={whole} className="challenge-game">
      <p className="challenge-status" data-result={outcome?.result}>
        {status}
      </p>
      <Board key={shown.number} game={board} onMark={mark} />
      <div className="challenge-next faint balanced">
        {trouble ? (
          <p className="balanced" role="alert">
            {messages.trouble[trouble]}
          </p>
        ) : (
          outcome && !isCounted && <p>{messages.saving}</p>
        )}
        {trouble === 'offline' && (
          <Button look="main" onClick={retry}>
            {game.retry}
          </Button>
        )}
        {isCounted &&
          (next ? (
            <Button look="main" autoFocus aria-disabled={starting} onClick={start}>
              {messages.next(next.number, CHALLENGE_GAMES)}
            </Button>
          ) : (
            <Button look="main" autoFocus onClick={leaveBoard}>
              {messages.toResult}
            </Button>
          ))}
      </div>
      <Announcer text={[move, status].filter(Boolean).join(' ')} />
    </div>
  );
}
