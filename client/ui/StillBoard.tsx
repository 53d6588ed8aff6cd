import type { Board } from '../../game/board.js';
import { outcome } from '../../game/rules.js';
import { Mark } from './Mark.js';
import { WinningLine } from './WinningLine.js';
import './board.css';

/** A board without interaction. Screen readers see one image, because the text beside it describes the moves. */
export function StillBoard({ board, label }: { board: Board; label: string }) {
  const { line, winner } = outcome(board) ?? {};
  return (
    <div className="board" role="img" aria-label={label} data-winner={winner}>
      <div className="board-grid">
        {[0, 3, 6].map((start) => (
          <div key={start} className="board-row">
            {board.slice(start, start + 3).map((mark, at) => (
              <span key={at} className="square" data-won={line?.some((square) => square === start + at) ?? false}>
                {mark && <Mark mark={mark} drawn />}
              </span>
            ))}
          </div>
        ))}
      </div>
      {line && <WinningLine line={line} />}
    </div>
  );
}
