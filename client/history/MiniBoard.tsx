import type { Board } from '../../game/board.js';

/** A small picture of the final board. */
export function MiniBoard({ board }: { board: Board }) {
  return (
    <svg className="mini-board" viewBox="0 0 30 30" aria-hidden="true">
      {board.map((mark, at) => (
        <rect
          key={at}
          data-mark={mark ?? undefined}
          x={1 + (at % 3) * 10}
          y={1 + Math.floor(at / 3) * 10}
          width={8}
          height={8}
          rx={mark === 'O' ? 4 : 2}
        />
      ))}
    </svg>
  );
}
