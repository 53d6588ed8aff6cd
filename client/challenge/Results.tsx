import { Trans, useLingui } from '@lingui/react/macro';
import { type Dispatch, type ReactNode, useEffect } from 'react';
import { type ChallengeResult, compareResults } from '../../game/challenge.js';
import type { Dare } from '../../game/dare.js';
import { anonymous } from '../data/apollo.js';
import { type ChallengeRowFragment, ChallengeTableDocument, DuelDocument } from '../graphql/generated.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { keepCommitment } from '../data/seedCommitment.js';
import { Avatar } from '../ui/Avatar.js';
import { Button } from '../ui/Button.js';
import { Failed } from '../ui/failure/NotLoaded.js';
import { formatNumber } from '../ui/formatNumber.js';
import { formatDay } from '../ui/time/formatTime.js';
import { PlayerLink } from '../ui/PlayerLink.js';
import { PlayerName } from '../ui/PlayerName.js';
import { hasDay } from './duel.js';
import { Tiles } from './Tiles.js';
import { movesOf } from './words.js';

interface Props {
  playerId: string;
  /** Today. */
  day: string;
}

/** @param above whose results stand above it */
export function Table({ playerId, day, above }: Props & { above: readonly string[] }) {
  const { t } = useLingui();
  const { data } = useRetryingQuery(ChallengeTableDocument, { variables: { day }, context: anonymous });
  const commitment = data?.challenge.commitment;
  useEffect(() => void (commitment && keepCommitment(day, commitment)), [day, commitment]);
  const entries = data?.challenge.entries;
  if (!entries) return null;
  if (entries.length === 0) return <p className="faint balanced">{t`Nobody has finished today's challenge yet.`}</p>;
  if (above.length > 0 && entries.every((entry) => [playerId, ...above].includes(entry.playerId))) return null;
  return (
    <section className="challenge-table" aria-label={t`Today's best`}>
      <h3 className="soft">{t`Today's best`}</h3>
      <Rows entries={entries} playerId={playerId} />
    </section>
  );
}

/** The result to beat, with the player's own beside it when there is one. Also that of a day which has been practised. */
export function Duel({ duel, playerId = '', day, onPlay }: Partial<Props> & { duel: Dare; onPlay?: Dispatch<Dare> }) {
  const { t } = useLingui();
  const { data, failed, retry } = useRetryingQuery(DuelDocument, {
    variables: { day: duel.day, rivalId: duel.playerId, playerId },
    skip: !hasDay(duel),
    // It is asked for before and after the games. Those of practice change nothing.
    fetchPolicy: onPlay ? 'network-only' : 'cache-first',
    context: anonymous,
  });
  const { rival, mine: own, seeds } = data?.challenge ?? {};
  if (failed) return <Failed className="faint" text={t`The server did not answer. Please try again.`} retry={retry} />;
  const isNobody = onPlay && (data ?? !hasDay(duel));
  if (!rival) return isNobody ? <p className="faint balanced">{t`There is no dare behind this link.`}</p> : null;
  const isOver = duel.day !== day;
  const isOwn = duel.playerId === playerId;
  if (isOwn && !isOver) return <p className="faint balanced">{t`This is your own link. Send it to somebody.`}</p>;
  const mine = isOwn ? null : own;
  // Practice is judged by itself.
  const judged = onPlay && (mine ?? !isOver);
  return (
    <section className="challenge-table challenge-duel" aria-label={isOwn ? formatDay(duel.day) : t`Duel`}>
      <h3>
        {isOver && <span>{formatDay(duel.day) + (judged ? ':' : '')}</span>}
        {judged && <Verdict rival={rival} mine={mine} />}
      </h3>
      <Rows entries={mine ? [rival, mine] : [rival]} playerId={playerId} />
      {isOver && onPlay && (
        <p className="soft actions">
          {t`That day is over. Today's five games are new.`}
          {seeds && <Button onClick={() => onPlay(duel)}>{t`Play it all the same`}</Button>}
        </p>
      )}
    </section>
  );
}

export function Verdict({ rival, mine }: { rival: ChallengeRowFragment; mine?: ChallengeResult | null }) {
  const { t } = useLingui();
  const better = mine && compareResults(mine, rival);
  if (better === 0) return t`A draw.`;
  if (better && better < 0) return t`You win!`;
  const who = <PlayerName of={rival.name} />;
  return mine ? <Trans>{who} wins.</Trans> : <Trans>{who} dares you:</Trans>;
}

interface RowsProps {
  /** Without a result where there is none yet. */
  entries: readonly (ChallengeRowFragment | Pick<ChallengeRowFragment, 'playerId' | 'name' | 'picture'>)[];
  playerId: string;
  /** What else a row says. */
  children?: (playerId: string) => ReactNode;
}

export function Rows({ entries, playerId, children }: RowsProps) {
  const { t } = useLingui();
  return (
    <ol>
      {entries.map((entry) => (
        <li key={entry.playerId} data-you={entry.playerId === playerId}>
          <span className="challenge-rank faint number">
            {'place' in entry && t`#${{ rank: formatNumber(entry.place) }}`}
          </span>
          <Avatar name={entry.name} picture={entry.picture} />
          <span className="challenge-name">
            <PlayerLink {...entry} />
            {entry.playerId === playerId && <span className="tag">{t`You`}</span>}
          </span>
          {'place' in entry ? (
            <>
              <span className="soft number">{movesOf(entry.totalMoves)}</span>
              <Tiles states={entry.results} label={entry.name} />
            </>
          ) : (
            <span className="soft">{t`Not finished yet`}</span>
          )}
          {children?.(entry.playerId)}
        </li>
      ))}
    </ol>
  );
}
