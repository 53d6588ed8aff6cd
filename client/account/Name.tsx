import { useApolloClient, useQuery } from '@apollo/client/react';
import { useId, useState } from 'react';
import { ChooseNameDocument, MyNameDocument } from '../graphql/generated.js';
import { messages } from '../messages/account.js';
import type { Player } from '../data/player.js';
import { Button } from '../ui/Button.js';
import { Refused } from '../data/refused.js';
import { Section } from './parts.js';
import type { useAccount } from './useAccount.js';

const words = messages.name;

export interface NameProps extends Pick<ReturnType<typeof useAccount>, 'attempt' | 'busy'> {
  player: Player;
  /** Fetches the player again. */
  onNamed: () => Promise<void>;
}

/** The name on the leaderboard: the player's own, the provider's, or a moderator's, which stays. */
export function Name({ player: { name, provider }, attempt, busy, onNamed }: NameProps) {
  const client = useApolloClient();
  const { data } = useQuery(MyNameDocument, { fetchPolicy: 'cache-and-network' });
  const [typed, setTyped] = useState(name);
  const field = useId();
  const from = data?.me.nameFrom;

  const choose = (wanted: string | null) =>
    attempt(words.failed, async () => {
      const { data } = await client.mutate({ mutation: ChooseNameDocument, variables: { name: wanted } });
      const answer = data!.chooseName;
      if (answer.__typename === 'NameRefused') throw new Refused(answer.reason, answer.message);
      setTyped(answer.me.name);
      await onNamed();
      return words.done(answer.me.name);
    });

  return (
    <Section title={words.title}>
      {from === 'moderator' ? (
        <p className="soft">{words.decided}</p>
      ) : (
        <form
          className="account-name actions"
          onSubmit={(event) => {
            event.preventDefault();
            void choose(typed);
          }}
        >
          <input
            className="field"
            id={field}
            aria-label={words.title}
            autoComplete="nickname"
            dir="auto"
            maxLength={50}
            required
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" aria-disabled={busy || typed === name}>
            {words.save}
          </Button>
          {from === 'player' && (
            <Button aria-disabled={busy} onClick={() => void choose(null)}>
              {words.undo(provider)}
            </Button>
          )}
        </form>
      )}
    </Section>
  );
}
