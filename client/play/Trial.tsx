import { useLingui } from '@lingui/react/macro';
import { useCallback, useEffect, useState, type ComponentType, type CSSProperties, type MouseEvent } from 'react';
import { roundKey } from '../data/playerStorage.js';
import { Mark } from '../ui/board/Mark.js';
import { storedInTab } from '../ui/stored.js';
import './Trial.css';

/** Each with the seconds until it is drawn. */
const PICTURE = [['X', 0.5], ['O', 0.25], null, null, ['X', 0], null, ['O', 0.75], null, ['X', 1]] as const;

/** The keyboard and screen readers start the game without marking a square. */
const NO_SQUARE = -1;

interface Props {
  first: number | null;
  /** Whether a link led here, whose games wait behind the sign-in. */
  dared?: boolean;
}

/** The board of the login screen: a picture until somebody presses it, then the trial game, which loads meanwhile. */
export function Trial({ load, dared }: { load: () => Promise<ComponentType<Props>>; dared?: boolean }) {
  const { t } = useLingui();
  const [Game, setGame] = useState<ComponentType<Props> | null>(null);
  const [goesOn] = useState(() => storedInTab.get(roundKey(null)) !== null);
  const [pressed, setPressed] = useState<number | null>(goesOn ? NO_SQUARE : null);
  const [failed, setFailed] = useState(false);

  // A failure becomes visible when the visitor starts the game.
  const preload = () => void load().catch(() => undefined);

  const open = useCallback(() => {
    load().then(
      (loaded) => setGame(() => loaded),
      () => setFailed(true),
    );
  }, [load]);

  const start = ({ currentTarget, target }: MouseEvent) => {
    const squares = [...currentTarget.children];
    // A second press during the load does not replace the first.
    if (pressed === null) setPressed(squares.findIndex((square) => square.contains(target as Node)));
    open();
  };

  useEffect(() => {
    if (goesOn) open();
  }, [goesOn, open]);

  if (Game) return <Game first={goesOn ? null : (pressed ?? NO_SQUARE)} dared={dared} />;
  return (
    <div className="trial">
      <button
        type="button"
        className="trial-picture"
        aria-labelledby="trial-status"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={start}
      >
        {PICTURE.map((drawn, at) => (
          <span
            key={at}
            className="square"
            style={drawn ? ({ '--wait': `${drawn[1]}s` } as CSSProperties) : undefined}
            data-pressed={at === pressed}
          >
            {drawn && pressed === null && <Mark mark={drawn[0]} drawn />}
          </span>
        ))}
      </button>
      <p id="trial-status" className="trial-status" role={failed ? 'alert' : undefined}>
        {failed ? t`Can't reach the server. Check your connection and try again.` : t`Try a game: you are X`}
      </p>
    </div>
  );
}
