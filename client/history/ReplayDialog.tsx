import { useMemo } from 'react';
import { decidingMove } from '../../game/analysis.js';
import type { HistoryGameFragment } from '../graphql/generated.js';
import { messages as pageMessages } from '../messages/game.js';
import { messages } from '../messages/replay.js';
import { Dialog } from '../ui/Dialog.js';
import { formatGain } from '../ui/formatNumber.js';
import { Moves } from '../ui/replay/Moves.js';
import { useSteps } from '../ui/replay/useSteps.js';
import { SeedCheck } from './SeedCheck.js';
import { shownMoves, verdictOn } from './verdict.js';
import './ReplayDialog.css';

/** Shows a finished game move by move, from its deciding move, with the result of this browser's own check. */
export function ReplayDialog({ game, onClose }: { game: HistoryGameFragment; onClose: () => void }) {
  const moves = useMemo(() => shownMoves(game), [game]);
  const verdict = useMemo(() => verdictOn(game), [game]);
  // The moves of a record that differs may break the rules.
  const deciding = useMemo(() => (verdict === 'checked' ? decidingMove(moves) : null), [moves, verdict]);
  const steps = useSteps(moves.length, deciding ? deciding.at + 1 : 0);
  const { difficulty, result, points } = game;
  const sum = `${formatGain(points)} ${pageMessages.history.points(points)}`;
  return (
    <Dialog
      title={messages.title}
      subtitle={[pageMessages.history.result[result], pageMessages.history.against(difficulty), sum].join(' · ')}
      onClose={onClose}
      onKeyDown={moves.length > 0 ? steps.onKeyDown : undefined}
    >
      <div className="replay">
        {moves.length > 0 && (
          <Moves moves={moves} deciding={deciding} flawless={verdict === 'checked' && !deciding} {...steps} />
        )}
        <p className="replay-verdict" data-verdict={verdict} role={verdict === 'differs' ? 'alert' : undefined}>
          {verdict === 'checked' ? messages.verdict.checked(result) : messages.verdict[verdict]}
          {verdict === 'checked' && <SeedCheck day={game.finishedAt.slice(0, 10)} seed={game.seed!} />}
        </p>
      </div>
    </Dialog>
  );
}
