import type { Board, Mark as MarkName, Square } from '../../../game/board.js';
import { outcome } from '../../../game/rules.js';
import { ROWS, WinningLine } from './Board.js';
import { Mark } from './Mark.js';
import './board.css';

interface Props {
  board: Board;
  label: string;
  /** The last move, when it was a mistake, and the squares that were better. */
  mistake?: { readonly mark: MarkName; readonly square: Square; readonly better: readonly Square[] } | null;
}

/** A board without interaction. Screen readers see one image, because the text beside it describes the moves. */
export function StillBoard({ board, label, mistake = null }: Props) {
  const { line, winner } = outcome(board) ?? {};
  return (
    <div className="board" translate="no" role="img" aria-label={label} data-winner={winner}>
      <div className="board-grid">
        {ROWS.map((row) => (
          <div key={row[0]} className="board-row">
            {row.map((square) => {
              const mark = board[square];
              const better = mistake?.better.includes(square);
              return (
                <span
                  key={square}
                  className="square"
                  data-won={line?.includes(square) ?? false}
                  data-mistake={mistake?.square === square || undefined}
                  data-better={better ? mistake?.mark : undefined}
                >
                  {mark && <Mark mark={mark} drawn />}
                  {better && mistake && <Mark mark={mistake.mark} />}
                </span>
              );
            })}
          </div>
        ))}
      </div>
      {line && <WinningLine line={line} />}
    </div>
  );
}
