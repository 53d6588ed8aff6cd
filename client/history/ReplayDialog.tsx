import { useQuery } from '@apollo/client/react';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useMemo, useState } from 'react';
import { decidingMove } from '../../game/analysis.js';
import { anonymous } from '../data/apollo.js';
import { ChallengeSeedsDocument, type HistoryGameFragment } from '../graphql/generated.js';
import { DIFFICULTY_NAMES, pointsAfter, RESULT_NAMES } from '../messages/words.js';
import { commitmentOf, keptCommitment } from '../data/seedCommitment.js';
import { Dialog } from '../ui/Dialog.js';
import { formatGain } from '../ui/formatNumber.js';
import { Moves, useSteps } from './Moves.js';
import { shownMoves } from './LastGames.js';
import { type Verdict, verdictOn } from './verdict.js';
import './Replay.css';

const VERDICTS: Readonly<Record<Exclude<Verdict, 'checked'>, MessageDescriptor>> = {
  secret: msg`This browser can check the bot's moves when today's challenge is over.`,
  abandoned: msg`Not finished before its day ended, so it is lost.`,
  differs: msg`Warning: this game doesn't match its replay.`,
  reported: msg`Only the result was reported, so there are no moves to show.`,
};

/** Shows a finished game move by move, from its deciding move, with the result of this browser's own check. */
export function ReplayDialog({ game, onClose }: { game: HistoryGameFragment; onClose: () => void }) {
  const { t } = useLingui();
  const moves = useMemo(() => shownMoves(game), [game]);
  const verdict = useMemo(() => verdictOn(game), [game]);
  // The moves of a record that differs may break the rules.
  const deciding = useMemo(() => (verdict === 'checked' ? decidingMove(moves) : null), [moves, verdict]);
  const steps = useSteps(moves.length, deciding ? deciding.at + 1 : 0);
  const { difficulty, result, points } = game;
  const sum = `${formatGain(points)} ${pointsAfter(points)}`;
  return (
    <Dialog
      title={t`Replay`}
      subtitle={
        <>
          <span>{[t(RESULT_NAMES[result]), t(DIFFICULTY_NAMES[difficulty]), sum].join(' · ')}</span>
          {verdict === 'checked' && (
            <span className="replay-verified" role="img" aria-label={t`Verified`} title={t`Verified`} />
          )}
        </>
      }
      onClose={onClose}
      onKeyDown={moves.length > 0 ? steps.onKeyDown : undefined}
    >
      <div className="replay stack">
        {moves.length > 0 && (
          <Moves moves={moves} deciding={deciding} flawless={verdict === 'checked' && !deciding} {...steps} />
        )}
        {verdict === 'checked' ? (
          <SeedCheck day={game.challengeDay ?? ''} seed={game.seed!} />
        ) : (
          <p className="replay-verdict tile soft balanced" role={verdict === 'differs' ? 'alert' : undefined}>
            {t(VERDICTS[verdict])}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/**
 * Warns when the seeds of a challenge are not those that were fixed when this browser first saw the day. Shows nothing for
 * another game, and where the browser has kept nothing.
 */
export function SeedCheck({ day, seed }: { day: string; seed: string }) {
  const kept = keptCommitment(day);
  return kept && <Comparison day={day} seed={seed} kept={kept} />;
}

function Comparison({ day, seed, kept }: { day: string; seed: string; kept: string }) {
  const { t } = useLingui();
  const { data } = useQuery(ChallengeSeedsDocument, { variables: { day }, context: anonymous });
  const seeds = data?.challenge.seeds;
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (!seeds?.includes(seed)) return;
    // Without a secure connection a browser has no hashes.
    void commitmentOf(seeds).then(
      (commitment) => setChanged(commitment !== kept),
      () => undefined,
    );
  }, [seeds, seed, kept]);
  return (
    changed && (
      <p className="replay-verdict tile soft balanced" role="alert">
        {t`Warning: the bot's seeds are not those that were fixed when the day began.`}
      </p>
    )
  );
}
