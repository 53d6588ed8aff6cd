import { useEffect, useState } from 'react';
import type { Result } from '../../game/rules.js';
import { messages } from '../messages/game.js';
import { filled } from '../ui/filled.js';
import { serverNow } from '../ui/time/clock.js';
import { formatDay } from '../ui/time/formatTime.js';
import { askedDuel } from './duel.js';
import { Tiles } from './Tiles.js';

const QUERY =
  'query Dare($playerId: ID!, $day: String!) { challenge(day: $day) { entry(playerId: $playerId) { name wins results } } }';

/** Null where nobody dares: the server does not know the day or the player, or does not show the player. */
type Entry = { readonly name: string; readonly wins: number; readonly results: readonly Result[] } | null;
type Answer = { readonly data?: { readonly challenge: { readonly entry: Entry } } | null };

/**
 * On the login screen behind a link to a duel: who dares the visitor. The login screen has no session for Apollo.
 * @param onDared called when the same five games wait for the visitor
 */
export function Dare({ onDared }: { onDared: () => void }) {
  const [duel] = useState(askedDuel);
  const [entry, setEntry] = useState<Entry>();
  const isOver = duel && duel.day < new Date(serverNow()).toISOString().slice(0, 10);
  useEffect(() => {
    if (!duel) return;
    const body = JSON.stringify({ query: QUERY, variables: duel });
    fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      .then((response) => response.json() as Promise<Answer>)
      // Without data, the server has not looked: there is nothing to say.
      .then(({ data }) => {
        setEntry(data && data.challenge.entry);
        if (data?.challenge.entry && !isOver) onDared();
      })
      .catch(console.warn);
  }, [duel, isOver, onDared]);
  return (
    <div className="login-dare" role="status">
      {entry === null && messages.dare.nobody}
      {entry && duel && (
        <>
          <p className="balanced">
            {filled(messages.dare.won(entry.wins, isOver ? formatDay(duel.day) : null), () => (
              <bdi className="clipped" translate="no">
                {entry.name}
              </bdi>
            ))}
          </p>
          <Tiles states={entry.results} label={entry.name} />
        </>
      )}
    </div>
  );
}
