import { useEffect, useRef } from 'react';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import type { Game } from '../../game/rules.js';
import { messages } from '../messages/challenge.js';
import { messages as game } from '../messages/game.js';
import { Announcer } from '../ui/Announcer.js';
import { Board } from '../ui/board/Board.js';
import { Button } from '../ui/Button.js';
import { formatTime } from '../ui/time/formatTime.js';
import type { ChallengeGame as ChallengeGameData } from './attempt.js';
import type { Challenge } from './useChallenge.js';

interface Props extends Omit<Challenge, 'board'> {
  game: ChallengeGameData;
  board: Game;
}

export function ChallengeGame({ game: shown, board, ...challenge }: Props) {
  const { mine, next, counted, bonus, lastSquare, trouble, starting, mark, retry, start, leaveBoard } = challenge;
  const { outcome, turn } = board;
  const result = (counted ? game.play.result : game.play.unscored)[outcome?.result ?? 'draw'];
  const status = outcome ? result : turn && game.play.status[turn];
  const move = lastSquare !== null && game.announcements.marked(board.board[lastSquare], lastSquare);
  const isSaved = shown.result !== null;
  // The server counts the games over the limit after the day.
  const limit = !counted && mine && game.play.countsFrom(formatTime(mine.endsAt));
  const note = isSaved ? (bonus ? game.play.bonus : limit) : outcome && messages.saving;
  const said = trouble ? messages.trouble[trouble] : note;

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
            {game.retry}
          </Button>
        )}
        {isSaved && (
          <Button look="main" autoFocus aria-disabled={starting} onClick={next ? start : leaveBoard}>
            {next ? messages.next(next.number, CHALLENGE_GAMES) : messages.toResult}
          </Button>
        )}
      </div>
      <Announcer text={[move, status, isSaved && note].filter(Boolean).join(' ')} />
    </div>
  );
}
