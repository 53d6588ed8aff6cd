import type { Line } from '../../../game/board.js';
import './WinningLine.css';

/** How far the stroke extends past the centres of the outer squares, relative to half its length. */
const OVERHANG = 0.36;

/** The animated stroke through the three winning squares. */
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
