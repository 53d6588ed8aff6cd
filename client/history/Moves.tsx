import { ChevronLast, ChevronRight, Pause, Play } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { DecidingMove } from '../../game/analysis.js';
import { boardAfter, type Move } from '../../game/replay.js';
import { messages, nameSquares } from '../messages/replay.js';
import { Mark } from '../ui/board/Mark.js';
import { StillBoard } from '../ui/board/StillBoard.js';
import { Button } from '../ui/Button.js';
import { inReadingOrder } from '../ui/readingOrder.js';

interface MovesProps extends ReturnType<typeof useSteps> {
  moves: readonly Move[];
  deciding: DecidingMove | null;
  /** Neither side made a mistake. */
  flawless?: boolean;
}

export function Moves({ moves, deciding, flawless, step, playing, goTo, togglePlay }: MovesProps) {
  const last = moves.length;
  const move = moves[step - 1];
  const said = move ? messages.at(step, last, move.mark, move.square) : messages.start;
  const shown = deciding?.at === step - 1 ? deciding : null;
  const { controls } = messages;
  const name = playing ? messages.pause : messages.play;

  // Otherwise the dialog would focus its first button, which is disabled at the start.
  const play = useRef<HTMLButtonElement>(null);
  useEffect(() => play.current?.focus(), []);

  const control = (name: keyof typeof controls, to: number, icon: ReactNode) => (
    // Otherwise the first and the last move would lose the focus: `disabled` takes it away.
    <Button aria-label={controls[name]} title={controls[name]} aria-disabled={to === step} onClick={() => goTo(to)}>
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
          {shown ? messages.deciding(shown.mark, nameSquares(shown.better)) : flawless && messages.noMistake}
        </p>
      </div>
      <div className="replay-controls">
        {control('first', 0, <ChevronLast className="mirrored" aria-hidden />)}
        {control('previous', Math.max(step - 1, 0), <ChevronRight className="mirrored" aria-hidden />)}
        <Button ref={play} look="main" className="replay-play" aria-label={name} onClick={togglePlay}>
          {playing ? <Pause aria-hidden /> : <Play aria-hidden />}
          <span>{name}</span>
        </Button>
        {control('next', Math.min(step + 1, last), <ChevronRight aria-hidden />)}
        {control('last', last, <ChevronLast aria-hidden />)}
      </div>
      <MoveList moves={moves} deciding={deciding} step={step} goTo={goTo} />
    </>
  );
}

type MoveListProps = Pick<MovesProps, 'moves' | 'deciding' | 'step' | 'goTo'>;

function MoveList({ moves, deciding, step, goTo }: MoveListProps) {
  return (
    <ol className="replay-moves" aria-label={messages.moves}>
      {moves.map(({ mark, square }, at) => (
        <li key={at}>
          <button
            type="button"
            data-played={at < step}
            aria-current={at + 1 === step ? 'step' : undefined}
            data-deciding={at === deciding?.at}
            aria-label={
              messages.at(at + 1, moves.length, mark, square) +
              (at === deciding?.at ? `, ${messages.decidingMove}` : '')
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
