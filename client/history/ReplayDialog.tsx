import { ChevronLast, ChevronRight, Pause, Play } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { decidingMove } from '../../game/analysis.js';
import type { DecidingMove } from '../../game/analysis.js';
import type { Move } from '../../game/replay.js';
import type { HistoryGameFragment } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { formatGain } from '../ui/formatNumber.js';
import { Mark } from '../ui/board/Mark.js';
import { StillBoard } from '../ui/board/StillBoard.js';
import { nameSquares } from './nameSquares.js';
import { SeedCheck } from './SeedCheck.js';
import { useSteps } from './useSteps.js';
import { boardAfter, shownMoves, verdictOn } from './verdict.js';
import './ReplayDialog.css';

/** Shows a finished game move by move, from its deciding move, with the result of this browser's own check. */
export function ReplayDialog({ game, onClose }: { game: HistoryGameFragment; onClose: () => void }) {
  const moves = useMemo(() => shownMoves(game), [game]);
  const verdict = useMemo(() => verdictOn(game), [game]);
  // The moves of a record that differs may break the rules.
  const deciding = useMemo(() => (verdict === 'checked' ? decidingMove(moves) : null), [moves, verdict]);
  const steps = useSteps(moves.length, deciding ? deciding.at + 1 : 0);
  const { difficulty, result, points } = game;
  const sum = `${formatGain(points)} ${messages.history.points(points)}`;
  return (
    <Dialog
      title={messages.replay.title}
      subtitle={[messages.history.result[result], messages.history.against(difficulty), sum].join(' · ')}
      onClose={onClose}
      onKeyDown={moves.length > 0 ? steps.onKeyDown : undefined}
    >
      <div className="replay">
        {moves.length > 0 && (
          <Moves moves={moves} deciding={deciding} flawless={verdict === 'checked' && !deciding} {...steps} />
        )}
        <p className="replay-verdict" data-verdict={verdict} role={verdict === 'differs' ? 'alert' : undefined}>
          {verdict === 'checked' ? messages.replay.verdict.checked(result) : messages.replay.verdict[verdict]}
          {verdict === 'checked' && <SeedCheck day={game.finishedAt.slice(0, 10)} seed={game.seed!} />}
        </p>
      </div>
    </Dialog>
  );
}

interface MovesProps extends ReturnType<typeof useSteps> {
  moves: readonly Move[];
  deciding: DecidingMove | null;
  /** Neither side made a mistake. */
  flawless: boolean;
}

function Moves({ moves, deciding, flawless, step, playing, goTo, togglePlay }: MovesProps) {
  const last = moves.length;
  const move = moves[step - 1];
  const said = move ? messages.replay.at(step, last, move.mark, move.square) : messages.replay.start;
  const shown = deciding?.at === step - 1 ? deciding : null;
  const { controls } = messages.replay;
  const name = playing ? messages.replay.pause : messages.replay.play;

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
        <p className="replay-deciding">
          {shown && messages.replay.deciding(shown.mark, nameSquares(shown.better))}
          {flawless && messages.replay.noMistake}
        </p>
      </div>
      <div className="replay-controls">
        {control('first', 0, <ChevronLast aria-hidden />)}
        {control('previous', Math.max(step - 1, 0), <ChevronRight aria-hidden />)}
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

function MoveList({ moves, deciding, step, goTo }: Pick<MovesProps, 'moves' | 'deciding' | 'step' | 'goTo'>) {
  return (
    <ol className="replay-moves" aria-label={messages.replay.moves}>
      {moves.map(({ mark, square }, at) => (
        <li key={at}>
          <button
            type="button"
            data-played={at < step}
            aria-current={at + 1 === step ? 'step' : undefined}
            data-deciding={at === deciding?.at}
            aria-label={
              messages.replay.at(at + 1, moves.length, mark, square) +
              (at === deciding?.at ? `, ${messages.replay.decidingMove}` : '')
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
