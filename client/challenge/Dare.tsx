import { ApolloProvider, useQuery } from '@apollo/client/react';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ComponentType, startTransition, useEffect, useState } from 'react';
import type { Dare as Duel } from '../../game/dare.js';
import { createPublicClient } from '../data/apollo.js';
import { DuelDocument } from '../graphql/generated.js';
import { Button } from '../ui/Button.js';
import { PlayerName } from '../ui/PlayerName.js';
import { formatDay } from '../ui/time/formatTime.js';
import { askedDuel, hasDay } from './duel.js';
import { Tiles } from './Tiles.js';

interface Props {
  /** Called when the same five games wait for the visitor. */
  onDared: () => void;
  Practice: ComponentType<{ dare: Duel; playerId: string; onClose: () => void }>;
}

/** On the login screen behind a link to a duel: who dares the visitor. The login screen has no session for Apollo. */
export function Dare({ onDared, Practice }: Props) {
  const { t } = useLingui();
  const [duel] = useState(() => askedDuel()!);
  const [client] = useState(createPublicClient);
  const [practised, setPractised] = useState(false);
  const variables = { day: duel.day, rivalId: duel.playerId, playerId: '' };
  const { data } = useQuery(DuelDocument, { client, variables, skip: !hasDay(duel) });
  const { rival, over, seeds } = data?.challenge ?? {};
  // The link is none, or the server does not show the player. Where it has not answered, there is nothing to say.
  const isNobody = rival === null || !hasDay(duel);
  const isOpen = Boolean(rival && !over);
  useEffect(() => void (isOpen && onDared()), [isOpen, onDared]);
  const play = () => startTransition(() => setPractised(true));
  const who = rival && <PlayerName of={rival.name} />;
  const wins = rival?.wins;
  const day = formatDay(duel.day);
  return (
    <ApolloProvider client={client}>
      <div className="login-dare" role="status">
        {isNobody && t`There is no dare behind this link.`}
        {rival && (
          <p className="balanced">
            {over ? (
              <Trans>
                {who} won {wins} of 5 on {day}. Today's five are new.
              </Trans>
            ) : (
              <Trans>
                {who} won {wins} of 5 today. Can you beat that?
              </Trans>
            )}
          </p>
        )}
        {rival && <Tiles states={rival.results} label={rival.name} />}
        {rival && seeds && <Button onClick={play}>{t`Play it all the same`}</Button>}
      </div>
      {practised && <Practice playerId="" dare={duel} onClose={() => setPractised(false)} />}
    </ApolloProvider>
  );
}
