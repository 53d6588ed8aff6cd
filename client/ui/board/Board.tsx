import { useState, type KeyboardEvent } from 'react';
import { SQUARES, type Square } from '../../../game/board.js';
import type { Game } from '../../../game/rules.js';
import { messages } from '../../messages/game.js';
import { Mark } from './Mark.js';
import { WinningLine } from './WinningLine.js';
import './board.css';

const ROWS = [0, 3, 6].map((start) => SQUARES.slice(start, start + 3));

/**
 * A grid with one tab stop. All squares stay focusable, so that screen readers can read marked ones. The rules decide
 * which marks are allowed.
 */
export function Board({ game, onMark }: { game: Game; onMark: (square: Square) => void }) {
  const [tabStop, setTabStop] = useState<Square>(4);
  const line = game.outcome?.line ?? null;

  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const to = nextSquare(tabStop, event.key);
    if (to === null) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-square="${to}"]`)?.focus();
  };

  return (
    <div className="board" data-winner={game.outcome?.winner}>
      <div className="board-grid" role="grid" aria-label={messages.play.board} onKeyDown={move}>
        {ROWS.map((row) => (
          <div key={row[0]} className="board-row" role="row">
            {row.map((square) => {
              const mark = game.board[square] ?? null;
              return (
                <button
                  key={square}
                  type="button"
                  role="gridcell"
                  className="square"
                  data-square={square}
                  data-won={line?.includes(square) ?? false}
                  aria-label={messages.play.square(square, mark)}
                  aria-disabled={mark !== null || game.turn !== 'X'}
                  tabIndex={square === tabStop ? 0 : -1}
                  onFocus={() => setTabStop(square)}
                  onClick={() => onMark(square)}
                >
                  {mark && <Mark mark={mark} drawn />}
                </button>
              );
            })}
          </div>
        ))}
      </div>
      {line && <WinningLine line={line} />}
    </div>
  );
}

/** The square that a key moves the focus to; null for other keys. The focus does not wrap at the edges. */
function nextSquare(from: Square, key: string): Square | null {
  const column = from % 3;
  const row = (from - column) / 3;
  const at = (toRow: number, toColumn: number) =>
    (Math.min(2, Math.max(0, toRow)) * 3 + Math.min(2, Math.max(0, toColumn))) as Square;
  const squares: Readonly<Record<string, Square>> = {
    ArrowLeft: at(row, column - 1),
    ArrowRight: at(row, column + 1),
    ArrowUp: at(row - 1, column),
    ArrowDown: at(row + 1, column),
    Home: at(row, 0),
    End: at(row, 2),
  };
  return squares[key] ?? null;
}
