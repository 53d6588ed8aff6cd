import './board.css';

/** An X or O. With `drawn`, its strokes are animated. */
export function Mark({ mark, drawn = false }: { mark: 'X' | 'O'; drawn?: boolean }) {
  return (
    <svg className={`mark mark-${mark} ${drawn ? 'mark-drawn' : ''}`} viewBox="0 0 100 100" aria-hidden="true">
      {mark === 'X' ? (
        <>
          <path pathLength={1} d="M17 17 Q48 46 83 83" />
          <path pathLength={1} d="M83 17 Q52 47 17 83" />
        </>
      ) : (
        <path pathLength={1} d="M50 14 A36 36 0 1 0 50.01 14" />
      )}
    </svg>
  );
}
