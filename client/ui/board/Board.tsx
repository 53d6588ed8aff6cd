import { i18n } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { type Line, type Square, SQUARES } from '../../../game/board.js';
import type { Game } from '../../../game/rules.js';
import { squareName } from '../../messages/words.js';
import { Mark } from './Mark.js';
import './board.css';

/** For the start of a text. Not "İ" or the like: only the first letter changes. */
const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase(i18n.locales) + text.slice(1);

export const ROWS = [0, 3, 6].map((start) => SQUARES.slice(start, start + 3));

/**
 * A grid with one tab stop. All squares stay focusable, so that screen readers can read marked ones. The rules decide
 * which marks are allowed.
 */
export function Board({ game, onMark }: { game: Game; onMark: (square: Square) => void }) {
  const { t } = useLingui();
  const [tabStop, setTabStop] = useState<Square>(4);
  // The mark is painted first, then the line that it completes.
  const later = useDeferredValue(game.outcome);
  const outcome = game.outcome && later;
  const line = outcome?.line ?? null;
  const empty = t`empty`;

  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const to = nextSquare(tabStop, event.key);
    if (to === null) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-square="${to}"]`)?.focus();
  };

  return (
    <div className="board" translate="no" data-winner={outcome?.winner}>
      <div className="board-grid" role="grid" aria-label={t`Board`} onKeyDown={move}>
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
                  aria-label={t`${{ square: capitalised(squareName(square)) }}, ${{ mark: mark ?? empty }}`}
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

/** How far the stroke extends past the centres of the outer squares, relative to half its length. */
const OVERHANG = 0.36;

export function WinningLine({ line }: { line: Line }) {
  const [[x1, y1], [x2, y2]] = [centre(line[0]), centre(line[2])];
  const [dx, dy] = [(x2 - x1) * OVERHANG * 0.5, (y2 - y1) * OVERHANG * 0.5];
  return (
    <svg className="winning-line" viewBox="0 0 100 100" aria-hidden="true">
      <path pathLength={1} d={`M${x1 - dx} ${y1 - dy} L${x2 + dx} ${y2 + dy}`} />
    </svg>
  );
}

/** A square is 31.6 wide and a gap 2.6, in hundredths of the board (see board.css). */
function centre(square: number): [number, number] {
  const column = square % 3;
  return [15.8 + column * 34.2, 15.8 + ((square - column) / 3) * 34.2];
}
