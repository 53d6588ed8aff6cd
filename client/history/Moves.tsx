import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { ChevronLast, ChevronRight, Pause, Play } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Square } from '../../game/board.js';
import type { DecidingMove } from '../../game/analysis.js';
import { boardAfter, type Move } from '../../game/replay.js';
import { squareName } from '../messages/words.js';
import { Mark } from '../ui/board/Mark.js';
import { StillBoard } from '../ui/board/StillBoard.js';
import { Button } from '../ui/Button.js';
import { inReadingOrder } from '../ui/readingOrder.js';

/** Names squares in a sentence: "top left or centre". All corners and all edges have a shorter name. */
export function nameSquares(squares: readonly Square[]): string {
  const all = squares.join('');
  if (all === '0268') return t`any corner`;
  if (all === '1357') return t`any edge`;
  return new Intl.ListFormat(i18n.locales, { type: 'disjunction' }).format(squares.map(squareName));
}

function sayMove(move: number, of: number, { mark, square: at }: Move): string {
  const square = squareName(at);
  return t`Move ${move} of ${of}: ${mark} to ${square}`;
}

interface MovesProps extends ReturnType<typeof useSteps> {
  moves: readonly Move[];
  deciding: DecidingMove | null;
  /** Neither side made a mistake. */
  flawless?: boolean;
}

export function Moves({ moves, deciding, flawless, step, playing, goTo, togglePlay }: MovesProps) {
  const { t } = useLingui();
  const last = moves.length;
  const move = moves[step - 1];
  const said = move ? sayMove(step, last, move) : t`Before the first move`;
  const shown = deciding?.at === step - 1 ? deciding : null;
  const name = playing ? t`Pause` : t({ message: 'Play', context: 'show the moves of a game one by one' });

  // Otherwise the dialog would focus its first button, which is disabled at the start.
  const play = useRef<HTMLButtonElement>(null);
  useEffect(() => play.current?.focus(), []);

  const control = (name: string, to: number, icon: ReactNode) => (
    // Otherwise the first and the last move would lose the focus: `disabled` takes it away.
    <Button aria-label={name} title={name} aria-disabled={to === step} onClick={() => goTo(to)}>
      {icon}
    </Button>
  );

  return (
    <>
      <StillBoard board={boardAfter(moves, step)} label={said} mistake={shown} />
      {/* One live region, because a second announcement would interrupt the first. */}
      <div className="replay-said" aria-live="polite">
        <p>{said}</p>
        <p className="replay-deciding soft">
          {shown
            ? shown.mark === 'X'
              ? t`Turning point. Better: ${{ better: nameSquares(shown.better) }}.`
              : t`Turning point. Better for the bot: ${{ better: nameSquares(shown.better) }}.`
            : flawless && t`Perfect game: no mistakes.`}
        </p>
      </div>
      <div className="replay-controls">
        {control(t`To the start`, 0, <ChevronLast className="mirrored" aria-hidden />)}
        {control(t`Previous move`, Math.max(step - 1, 0), <ChevronRight className="mirrored" aria-hidden />)}
        <Button ref={play} look="main" className="replay-play" aria-label={name} onClick={togglePlay}>
          {playing ? <Pause aria-hidden /> : <Play aria-hidden />}
          <span>{name}</span>
        </Button>
        {control(t`Next move`, Math.min(step + 1, last), <ChevronRight aria-hidden />)}
        {control(t`To the end`, last, <ChevronLast aria-hidden />)}
      </div>
      <MoveList moves={moves} deciding={deciding} step={step} goTo={goTo} />
    </>
  );
}

type MoveListProps = Pick<MovesProps, 'moves' | 'deciding' | 'step' | 'goTo'>;

function MoveList({ moves, deciding, step, goTo }: MoveListProps) {
  const { t } = useLingui();
  return (
    <ol className="replay-moves" aria-label={t`Moves`}>
      {moves.map(({ mark, square }, at) => (
        <li key={at}>
          <button
            type="button"
            data-played={at < step}
            aria-current={at + 1 === step ? 'step' : undefined}
            data-deciding={at === deciding?.at}
            aria-label={
              sayMove(at + 1, moves.length, { mark, square }) + (at === deciding?.at ? `, ${t`turning point`}` : '')
            }
            onClick={() => goTo(at + 1)}
          >
            <Mark mark={mark} />
          </button>
        </li>
      ))}
    </ol>
  );
}

const MOVE_MS = 700;

/** The step of a replay, from 0 to `last`, and the functions that change it. It begins at `begin`. */
export function useSteps(last: number, begin: number) {
  const [step, setStep] = useState(begin);
  const [running, setRunning] = useState(false);
  const playing = running && step < last;

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => setStep(step + 1), MOVE_MS);
    return () => clearTimeout(timer);
  }, [playing, step]);

  const goTo = (to: number) => {
    setRunning(false);
    setStep(Math.min(last, Math.max(0, to)));
  };

  const togglePlay = () => {
    setRunning(!playing);
    // Show the first move at once, so that the button reacts visibly.
    if (!playing) setStep(step === last ? Math.min(1, last) : step + 1);
  };

  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => goTo(step - 1),
    ArrowRight: () => goTo(step + 1),
    Home: () => goTo(0),
    End: () => goTo(last),
    ' ': togglePlay,
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // Space activates a focused button.
    if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
    const act = keys[inReadingOrder(event.key)];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return { step, playing, goTo, togglePlay, onKeyDown };
}
