import { useQuery } from '@apollo/client/react';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { createPublicClient } from '../data/apollo.js';
import { PlayerGreetingDocument } from '../graphql/generated.js';
import { formatNumber } from '../ui/formatNumber.js';
import { askedPlayer } from '../ui/PlayerLink.js';
import { PlayerName } from '../ui/PlayerName.js';

/** On the login screen behind a link to a player: who it is. Where the server does not answer, there is nothing to say. */
export function Greeting() {
  const { t } = useLingui();
  const [id] = useState(() => askedPlayer()?.id ?? '');
  const [client] = useState(createPublicClient);
  const player = useQuery(PlayerGreetingDocument, { client, variables: { id } }).data?.player;
  return (
    <div className="login-dare" role="status">
      {player === null && t`There is no page behind this link.`}
      {player && <PlayerName of={player.name} />}
      {player && <p>{t`Score: ${{ score: formatNumber(player.stats.score) }}`}</p>}
    </div>
  );
}
