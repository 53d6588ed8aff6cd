import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { compareResults } from '../../game/challenge.js';
import type { Dare } from '../../game/dare.js';
import { anonymous } from '../data/apollo.js';
import { type ChallengeRowFragment, ChallengeTableDocument, DuelDocument } from '../graphql/generated.js';
import { messages } from '../messages/challenge.js';
import { keepCommitment } from '../data/seedCommitment.js';
import { Avatar } from '../ui/Avatar.js';
import { filled } from '../ui/filled.js';
import { formatNumber } from '../ui/formatNumber.js';
import { formatDay } from '../ui/time/formatTime.js';
import { Tiles } from './Tiles.js';

interface Props {
  playerId: string;
  /** Today. */
  day: string;
}

export function Table({ playerId, day, duel }: Props & { duel: Dare | null }) {
  const { data } = useQuery(ChallengeTableDocument, {
    variables: { day },
    fetchPolicy: 'cache-and-network',
    context: anonymous,
  });
  const commitment = data?.challenge.commitment;
  useEffect(() => {
    if (commitment) keepCommitment(day, commitment);
  }, [day, commitment]);
  const entries = data?.challenge.entries;
  if (!entries) return null;
  if (entries.length === 0) return <p className="faint balanced">{messages.empty}</p>;
  // The duel above it shows both.
  if (duel?.day === day && entries.every((entry) => [playerId, duel.playerId].includes(entry.playerId))) return null;
  return (
    <section className="challenge-table" aria-label={messages.table}>
      <h3 className="soft">{messages.table}</h3>
      <Rows entries={entries} playerId={playerId} />
    </section>
  );
}

/** The result to beat, with the player's own beside it when there is one. */
export function Duel({ duel, playerId, day }: Props & { duel: Dare }) {
  const { data, error } = useQuery(DuelDocument, {
    variables: { day: duel.day, rivalId: duel.playerId, playerId },
    // It is asked for before and after the games.
    fetchPolicy: 'network-only',
    context: anonymous,
  });
  const { rival, mine: own } = data?.challenge ?? {};
  if (!rival) return <p className="faint balanced">{(data ?? error) && messages.duel.nobody}</p>;
  const isOver = duel.day !== day;
  const isOwn = duel.playerId === playerId;
  if (isOwn && !isOver) return <p className="faint balanced">{messages.duel.own}</p>;
  const mine = isOwn ? null : own;
  return (
    <section className="challenge-table challenge-duel" aria-label={messages.duel.title}>
      <h3>
        {isOver && <span>{formatDay(duel.day) + (mine ? ':' : '')}</span>}
        {(mine ?? !isOver) && <Verdict rival={rival} mine={mine} />}
      </h3>
      <Rows entries={mine ? [rival, mine] : [rival]} playerId={playerId} />
      {isOver && <p className="soft">{messages.duel.over}</p>}
    </section>
  );
}

function Verdict({ rival, mine }: { rival: ChallengeRowFragment; mine: ChallengeRowFragment | null | undefined }) {
  const { won, drawn, lost } = messages.duel;
  const better = mine && compareResults(mine, rival);
  if (better === 0) return drawn;
  if (better && better < 0) return won;
  return filled(mine ? lost : messages.dares, () => (
    <bdi className="clipped" translate="no">
      {rival.name}
    </bdi>
  ));
}

function Rows({ entries, playerId }: { entries: readonly ChallengeRowFragment[]; playerId: string }) {
  return (
    <ol>
      {entries.map((entry) => (
        <li key={entry.playerId} data-you={entry.playerId === playerId}>
          <span className="challenge-rank faint number">{messages.rank(formatNumber(entry.place))}</span>
          <Avatar name={entry.name} picture={entry.picture} />
          <span className="challenge-name">
            {/* Isolates a right-to-left name from the rest of the line. */}
            <bdi className="clipped" translate="no">
              {entry.name}
            </bdi>
            {entry.playerId === playerId && <span className="tag">{messages.you}</span>}
          </span>
          <span className="soft number">{messages.moves(entry.totalMoves)}</span>
          <Tiles states={entry.results} label={entry.name} />
        </li>
      ))}
    </ol>
  );
}
