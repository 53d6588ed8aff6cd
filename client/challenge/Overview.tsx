import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { CSSProperties, Dispatch, ReactNode } from 'react';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import type { Dare } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';
import type { ChallengeRowFragment } from '../graphql/generated.js';
import { Button } from '../ui/Button.js';
import { Failed } from '../ui/failure/NotLoaded.js';
import { formatNumber } from '../ui/formatNumber.js';
import { useNow } from '../ui/time/clock.js';
import { formatDay, formatTime } from '../ui/time/formatTime.js';
import { isBegun, isDone, statesOf } from './attempt.js';
import { Duel, Table, Verdict } from './Results.js';
import { Rivals } from './Rivals.js';
import { Tiles } from './Tiles.js';
import { inTime, movesOf, placeToday, sumOf } from './words.js';
import type { Challenge, MyChallenge } from './useChallenge.js';

/** Practice has no place, no days and no end, but perhaps somebody to beat. */
type Shown = Pick<MyChallenge, 'attempt' | 'par'> & Partial<MyChallenge> & { rival?: ChallengeRowFragment | null };

interface Props extends Pick<Challenge, 'failed' | 'reload'> {
  mine: Shown | null;
  playerId: string;
  duel: Dare | null;
  /** Plays a day that is over. Practice itself has no such buttons. */
  onPlay?: Dispatch<Dare>;
  children?: ReactNode;
}

export function Overview({ playerId, duel, mine, failed, reload, onPlay, children }: Props) {
  const { t } = useLingui();
  if (failed)
    return <Failed className="challenge-note faint" text={t`The challenge could not be loaded.`} retry={reload} />;
  // It takes the focus, which would begin on "Close".
  if (!mine)
    return <p className="challenge-note centred" role="status" aria-label={t`Loading the challenge`} tabIndex={0} />;
  const { day } = mine.attempt;
  const darers = duel?.day === day ? [duel.playerId] : [];
  const rivals = (mine.me?.rivals ?? []).map((rival) => rival.playerId);
  const dare = duel && <Duel {...{ duel, playerId, onPlay }} day={mine.endsAt && day} />;
  return (
    <div className="challenge stack">
      {onPlay && dare}
      <Attempt mine={mine} />
      {!onPlay && dare}
      {children}
      {mine.days && isDone(mine.attempt) && <Chart {...{ ...mine, playerId, onPlay }} />}
      {rivals.length > 0 && <Rivals playerId={playerId} mine={mine} />}
      {mine.endsAt && <Table playerId={playerId} day={day} above={[...darers, ...rivals]} />}
    </div>
  );
}

function Attempt({ mine }: { mine: Shown }) {
  const { t } = useLingui();
  const { attempt, endsAt = '', par, place = null, players = 0, isBetter, rival } = mine;
  const left = Date.parse(endsAt) - useNow();
  const states = statesOf(attempt);
  const count = (result: Result) => states.filter((state) => state === result).length;
  const [wins, draws, { totalMoves }] = [count('win'), count('draw'), attempt];
  const end = isDone(attempt)
    ? t`Next in ${{ time: inTime(left) }}`
    : t`Ends in ${{ left: inTime(left) }}, at ${{ time: formatTime(endsAt) }}. Unfinished games count as lost.`;
  return (
    <div className="challenge-attempt faint balanced" data-well={isBetter || wins === states.length}>
      {rival && totalMoves !== null && (
        <h3 className="challenge-sum">
          <Verdict rival={rival} mine={{ wins, draws, totalMoves }} />
        </h3>
      )}
      {isDone(attempt) && <p className="challenge-sum">{sumOf(wins, draws)}</p>}
      <Tiles states={states} label={t`Your games`} />
      {totalMoves !== null && par !== null && (
        <p>
          {movesOf(totalMoves)} {t`(best possible: ${{ par: formatNumber(par) }})`}
        </p>
      )}
      {place !== null && <p>{placeToday(place, players)}</p>}
      {isBetter && <p>{t`Better than yesterday!`}</p>}
      {!isBegun(attempt) && (
        <p>
          {t`Two easy games, two medium, one hard. Wins count first, then draws, then moves: fewer are better. A lost or drawn game counts as five moves.`}
        </p>
      )}
      {endsAt && <p>{end}</p>}
    </div>
  );
}

/** On how many days the player has won none to five games, with the bar of today marked. A bar opens its earlier days. */
function Chart({ playerId, days = [], attempt, onPlay }: Shown & Pick<Props, 'playerId' | 'onPlay'>) {
  const { t } = useLingui();
  const today = attempt.games.filter(({ result }) => result === 'win').length;
  const chart = Array.from({ length: CHALLENGE_GAMES + 1 }, (_, wins) => days.filter((one) => one.wins === wins));
  const most = Math.max(...chart.map(({ length }) => length));
  return (
    <section className="challenge-chart" aria-label={t`Your last 30 days`}>
      <h3 className="soft">{t`Your last 30 days`}</h3>
      <ol>
        {chart.map((all, wins) => {
          const earlier = all.filter(({ day }) => day < attempt.day);
          const [Row, Bar] = earlier.length > 0 ? (['details', 'summary'] as const) : (['div', 'p'] as const);
          return (
            <li key={wins} data-you={wins === today} style={{ '--share': all.length / most } as CSSProperties}>
              <Row>
                <Bar>
                  <span className="visually-hidden">{t`${plural(wins, { one: '# win', other: '# wins' })}: ${plural({ days: all.length }, { one: '# day', other: '# days' })}`}</span>
                  <span aria-hidden="true">{wins}</span>
                  <span aria-hidden="true">{all.length}</span>
                </Bar>
                {earlier.map(({ day, draws }) => (
                  <Button key={day} onClick={() => onPlay?.({ playerId, day })}>
                    {formatDay(day)} · {sumOf(wins, draws)}
                  </Button>
                ))}
              </Row>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
