import { useEffect, useMemo, useRef, useState } from 'react';
import { place } from '../../game/board.js';
import type { Square } from '../../game/board.js';
import { messages } from '../messages/challenge.js';
import { Announcer } from '../ui/Announcer.js';
import { Board } from '../ui/board/Board.js';
import { Button } from '../ui/Button.js';
import { Moves } from '../ui/replay/Moves.js';
import { useSteps } from '../ui/replay/useSteps.js';
import { gameAfter } from './attempt.js';
import type { Position } from './attempt.js';
import { explanationOf } from './explanation.js';
import type { Trouble } from './useAttempt.js';

interface Props {
  position: Position;
  trouble: Trouble | null;
  sending: boolean;
  onAnswer: (square: Square) => void;
}

/** The position of the day: the player's one answer, and then what follows from it. */
export function PositionView({ position, ...props }: Props) {
  const { answer } = position;
  return answer !== null ? (
    <Explanation position={position} answer={answer} />
  ) : (
    <Question position={position} {...props} />
  );
}

/** A press chooses a square, and a button sends it: there is one answer, and a finger slips. */
function Question({ position, trouble, sending, onAnswer }: Props) {
  const { squares, task, plausibleMoves } = position;
  const [chosen, setChosen] = useState<Square | null>(null);
  const game = useMemo(() => gameAfter(squares), [squares]);
  const shown = chosen === null ? game : { ...game, board: place(game.board, chosen, 'X') };
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => whole.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(), []);
  const choose = (square: Square) => {
    if (!sending && game.board[square] === null) setChosen(square);
  };
  return (
    <div ref={whole} className="challenge-game">
      <div className="challenge-task">
        <p className="challenge-status">{messages.position.task[task]}</p>
        <p>{messages.position.plausible(plausibleMoves)}</p>
      </div>
      <Board game={shown} onMark={choose} />
      <div className="challenge-next">
        {trouble && (
          <p className="challenge-trouble" role="alert">
            {messages.trouble[trouble]}
          </p>
        )}
        <Button
          look="main"
          aria-disabled={sending || chosen === null}
          onClick={() => chosen !== null && !sending && onAnswer(chosen)}
        >
          {chosen === null ? messages.position.choose : messages.position.send(chosen)}
        </Button>
      </div>
      <Announcer text={chosen === null ? messages.position.task[task] : messages.position.chosen(chosen)} />
    </div>
  );
}

function Explanation({ position, answer }: { position: Position; answer: number }) {
  const { squares, task, best, solved } = position;
  const moves = useMemo(() => explanationOf(squares, answer), [squares, answer]);
  const at = squares.length;
  const steps = useSteps(moves.length, at + 1, at);
  const deciding = solved ? null : { ...moves[at]!, at, better: [best as Square] };
  return (
    <div className="replay" onKeyDown={steps.onKeyDown}>
      <p className="challenge-answer" data-solved={solved} role="status">
        {messages.position[solved ? 'solved' : 'missed'][task]}
      </p>
      <Moves moves={moves} deciding={deciding} {...steps} />
    </div>
  );
}
