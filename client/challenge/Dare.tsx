import { CombinedGraphQLErrors } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { createPublicClient } from '../data/apollo.js';
import { DareDocument } from '../graphql/generated.js';
import { PlayerName } from '../ui/PlayerName.js';
import { formatDay } from '../ui/time/formatTime.js';
import { askedDuel } from './duel.js';
import { Tiles } from './Tiles.js';

/**
 * On the login screen behind a link to a duel: who dares the visitor. The login screen has no session for Apollo.
 * @param onDared called when the same five games wait for the visitor
 */
export function Dare({ onDared }: { onDared: () => void }) {
  const { t } = useLingui();
  const [duel] = useState(askedDuel);
  const [client] = useState(createPublicClient);
  const { data, error } = useQuery(DareDocument, { client, variables: duel!, skip: !duel });
  const { entry, over } = data?.challenge ?? {};
  // The server does not know the day or the player, or does not show the player. Where it has not answered, there is nothing to say.
  const isNobody = entry === null || CombinedGraphQLErrors.is(error);
  const isOpen = Boolean(entry && !over);
  useEffect(() => {
    if (isOpen) onDared();
  }, [isOpen, onDared]);
  const who = entry && <PlayerName of={entry.name} />;
  const wins = entry?.wins;
  const day = duel && formatDay(duel.day);
  return (
    <div className="login-dare" role="status">
      {isNobody && t`There is no dare behind this link.`}
      {entry && duel && (
        <>
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
          <Tiles states={entry.results} label={entry.name} />
        </>
      )}
    </div>
  );
}
