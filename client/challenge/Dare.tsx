import { useEffect, useState } from 'react';
import type { Result } from '../../game/rules.js';
import { messages } from '../messages/game.js';
import { filled } from '../ui/filled.js';
import { serverNow } from '../ui/time/clock.js';
import { formatDay } from '../ui/time/formatTime.js';
import { askedDuel, inTiles } from './duel.js';

const QUERY =
  'query Dare($playerId: ID!, $day: String!) { challenge(day: $day) { entry(playerId: $playerId) { name results } } }';

/** Null where nobody dares: the server does not know the day or the player, or does not show the player. */
type Entry = { readonly name: string; readonly results: readonly Result[] } | null;
type Answer = { readonly data?: { readonly challenge: { readonly entry: Entry } } | null };

/** On the login screen behind a link to a duel: who dares the visitor. The login screen has no session for Apollo. */
export function Dare() {
  const [duel] = useState(askedDuel);
  const [entry, setEntry] = useState<Entry>();
  useEffect(() => {
    if (!duel) return;
    const body = JSON.stringify({ query: QUERY, variables: duel });
    fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      .then((response) => response.json() as Promise<Answer>)
      // Without data, the server has not looked: there is nothing to say.
      .then(({ data }) => setEntry(data && data.challenge.entry))
      .catch(console.warn);
  }, [duel]);
  const isOver = duel && duel.day < new Date(serverNow()).toISOString().slice(0, 10);
  const day = isOver ? `${formatDay(duel.day)}: ` : '';
  return (
    duel && (
      <p className="login-dare" role="status">
        {entry === null && <span>{messages.dare.nobody}</span>}
        {entry && (
          <>
            {filled(messages.dare.dares, () => (
              <bdi className="clipped" translate="no">
                {entry.name}
              </bdi>
            ))}{' '}
            <b role="img" aria-label={day + entry.results.join(', ')}>
              {day + inTiles(entry.results)}
            </b>
          </>
        )}
      </p>
    )
  );
}
