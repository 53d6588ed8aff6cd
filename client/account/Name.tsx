import { useApolloClient } from '@apollo/client/react';
import { msg, plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { NAME_LENGTH } from '../../game/text.js';
import { ChooseNameDocument, MyNameDocument, SetPageOpenDocument } from '../graphql/generated.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { providerName } from '../data/settings.js';
import { named } from '../messages/words.js';
import type { Player } from '../data/player.js';
import { Button } from '../ui/Button.js';
import { pageAddress } from '../ui/PlayerLink.js';
import { within } from '../ui/within.js';
import { Refused } from '../data/refused.js';
import { Section } from './parts.js';
import type { useAccount } from './useAccount.js';

export interface NameProps extends Pick<ReturnType<typeof useAccount>, 'attempt' | 'busy'> {
  player: Player;
  /** Fetches the player again. */
  onNamed: () => Promise<void>;
}

/** The name on the leaderboard: the player's own, the provider's, or a moderator's, which stays. */
export function Name({ player: { name, provider }, attempt, busy, onNamed }: NameProps) {
  const { t } = useLingui();
  const client = useApolloClient();
  const { data } = useRetryingQuery(MyNameDocument);
  const [typed, setTyped] = useState(name);
  const field = useId();
  const from = data?.me.nameFrom;

  const choose = (wanted: string | null) =>
    attempt(msg`Your name could not be changed. Please try again.`, async () => {
      const { data } = await client.mutate({ mutation: ChooseNameDocument, variables: { name: wanted } });
      const answer = data!.chooseName;
      if (answer.__typename === 'NameRefused') throw new Refused(answer.reason, answer.message);
      setTyped(answer.me.name);
      await onNamed();
      return () => named(answer.me.name, t`Your name is <0>name</0> now.`);
    });

  return (
    <Section title={t`Name on the leaderboard`}>
      {from === 'moderator' ? (
        <p className="soft">{t`A moderator has set this name.`}</p>
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
            aria-label={t`Name on the leaderboard`}
            autoComplete="nickname"
            dir="auto"
            onInput={within(NAME_LENGTH)}
            required
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" aria-disabled={busy || typed === name}>
            {t`Save`}
          </Button>
          {from === 'player' && (
            <Button aria-disabled={busy} onClick={() => void choose(null)}>
              {t`Use the name from ${{ provider: providerName(provider) }}`}
            </Button>
          )}
        </form>
      )}
    </Section>
  );
}

/** The page that others see, which a player can close, and what marks a player there as a program. */
export function PublicPage({ player, attempt }: Pick<NameProps, 'player' | 'attempt'>) {
  const { t } = useLingui();
  const client = useApolloClient();
  const { data, failed, refetch } = useRetryingQuery(MyNameDocument);
  const me = data?.me;
  const isOpen = me?.pageIsOpen ?? true;
  const toggle = () =>
    attempt(msg`Your page could not be changed. Please try again.`, async () => {
      await client.mutate({ mutation: SetPageOpenDocument, variables: { open: !isOpen } });
      await refetch();
    });
  return (
    <Section title={t`Your page`}>
      <label className="switch soft">
        {!failed && <input type="checkbox" checked={isOpen} disabled={!me} onChange={() => void toggle()} />}
        {failed ? <span role="alert">{t`The page could not be loaded.`}</span> : t`Everybody can see it`}
      </label>
      <p className="soft">
        {/* A line keeps the place of one that comes late. */}
        {me
          ? plural(me.programGames, { one: 'Programs have played # game.', other: 'Programs have played # games.' })
          : '\u00a0'}
      </p>
      {isOpen && <a href={pageAddress(player.id)}>{t`See your page`}</a>}
    </Section>
  );
}
