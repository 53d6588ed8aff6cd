import type { Square } from '../../../game/board.js';

/** Returns the square that a key moves the focus to; null for other keys. The focus does not wrap at the edges. */
export function nextSquare(from: Square, key: string, shift = false): Square | null {
  if (shift) return null;
  const column = from % 3;
  const row = (from - column) / 3;
  const at = (toRow: number, toColumn: number) =>
    (Math.min(2, Math.max(0, toRow)) * 3 + Math.min(2, Math.max(0, toColumn))) as Square;
  switch (key) {
    case 'ArrowLeft':
      return at(row, column - 1);
    case 'ArrowRight':
      return at(row, column + 1);
    case 'ArrowUp':
      return at(row - 1, column);
    case 'ArrowDown':
      return at(row + 1, column);
    case 'Home':
      return at(row, 0);
    case 'End':
      return at(row, 2);
    default:
      return null;
  }
}
