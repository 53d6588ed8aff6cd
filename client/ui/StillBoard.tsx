import { LINES } from '../../game/board.js';
import type { Mark as MarkName } from '../../game/board.js';
import { Mark } from './Mark.js';
import { WinningLine } from './WinningLine.js';
import './board.css';

/** A board to be looked at. What there is to say about it stands beside it, so it has one name and no parts. */
export function StillBoard({ board, label }: { board: readonly (MarkName | null)[]; label: string }) {
  const line = LINES.find(
    ([one, two, three]) => board[one] && board[one] === board[two] && board[one] === board[three],
  );
  return (
    <div className="board" role="img" aria-label={label} data-winner={line && board[line[0]]}>
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
