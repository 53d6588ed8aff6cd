import { useLingui } from '@lingui/react/macro';
import { type CSSProperties, useEffect, useState } from 'react';
import { BONUS_POINTS, POINTS, type Stats, WINS_FOR_BONUS } from '../../game/scoring.js';
import { Card } from '../ui/Card.js';
import { formatNumber } from '../ui/formatNumber.js';
import { isMotionReduced } from '../ui/motion.js';
import { TimeAgo } from '../ui/time/TimeAgo.js';
import './StatsPanel.css';

type Shown = Pick<Stats, 'score' | 'winStreak' | 'wins' | 'losses' | 'draws'>;

interface Props {
  stats: Shown;
  /** The board shows the bonus of the third win in a row, which has started the streak again. */
  bonus?: boolean;
  /** When the server sent these stats, if it does not answer now. By this computer's clock, milliseconds since the epoch. */
  asOf?: number | null;
}

export function StatsPanel({ stats, bonus = false, asOf = null }: Props) {
  const { t } = useLingui();
  const score = useCountUp(stats.score);
  const streak = bonus ? WINS_FOR_BONUS : stats.winStreak;
  const note = asOf !== null && (
    <>
      {t`Last known`} · <TimeAgo at={new Date(asOf).toISOString()} clock={Date.now} />
    </>
  );
  return (
    <Card title={t`Your Stats`} note={note} className="stats">
      <dl>
        <div className="stats-score">
          <dt>{t`Total Score`}</dt>
          <Value key={score} value={score} />
        </div>
        <div className="stats-streak" data-full={streak === WINS_FOR_BONUS}>
          <dt>{t`Win Streak`}</dt>
          <dd>
            <span className="stats-pips" aria-hidden="true">
              {Array.from({ length: WINS_FOR_BONUS }, (_, at) => (
                <i key={at} data-on={at < streak} />
              ))}
            </span>
            <span>{`${streak}/${WINS_FOR_BONUS}`}</span>
          </dd>
        </div>
        <Count name={t`Wins`} value={stats.wins} />
        <Count name={t`Losses`} value={stats.losses} />
        <Count name={t`Draws`} value={stats.draws} />
      </dl>
    </Card>
  );
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <div className="stats-count tile">
      <dt>{name}</dt>
      <Value value={value} />
    </div>
  );
}

/** The style sheet scales the value by its length, so that it fits on one line. */
function Value({ value }: { value: number }) {
  const text = formatNumber(value);
  return <dd style={{ '--length': text.length } as CSSProperties}>{text}</dd>;
}

const STEP_MS = 180;
/** A larger rise comes from games in another browser. */
const MOST_POINTS_OF_A_GAME = POINTS.win + BONUS_POINTS;

/** Follows the points of a won game one by one, and any other change at once. */
function useCountUp(score: number): number {
  const [shown, setShown] = useState(score);
  const left = score - shown;
  const counts = left > 0 && left <= MOST_POINTS_OF_A_GAME && !isMotionReduced();
  if (left !== 0 && !counts) setShown(score);

  useEffect(() => {
    if (!counts) return;
    const timer = setTimeout(() => setShown(shown + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [counts, shown]);

  return shown;
}
