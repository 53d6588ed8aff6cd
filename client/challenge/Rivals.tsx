import { useApolloClient } from '@apollo/client/react';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { compareResults } from '../../game/challenge.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { ForgetRivalDocument, MyRivalsDocument, type RivalFragment } from '../graphql/generated.js';
import { named } from '../messages/words.js';
import { Button, passFocusOn } from '../ui/Button.js';
import { ShareButton } from '../ui/ShareButton.js';
import { formatDay } from '../ui/time/formatTime.js';
import { duelLink, inTiles } from './duel.js';
import { Rows } from './Results.js';
import { type MyChallenge, TROUBLE } from './useChallenge.js';

interface Props {
  playerId: string;
  mine: Pick<MyChallenge, 'attempt'> & Partial<MyChallenge>;
}

/** Today's results of those whom a dare has brought together with the player, and the player's own beside them. */
export function Rivals({ playerId, mine }: Props) {
  const { t } = useLingui();
  const { day } = mine.attempt;
  const { data } = useRetryingQuery(MyRivalsDocument, { variables: { day, playerId } });
  if (!data?.me.rivals.length) return null;
  const { rivals } = data.me;
  const results = [data.challenge.mine, ...rivals.map(({ today }) => today)].filter((one) => one !== null);
  const waiting = rivals.filter(({ today }) => !today);
  return (
    <section className="challenge-table" aria-label={t`Rivals`}>
      <h3 className="soft">{t`Rivals`}</h3>
      <Rows entries={[...results.sort(compareResults), ...waiting]} playerId={playerId}>
        {(id) => {
          const rival = rivals.find((one) => one.playerId === id);
          return rival && <Rival {...{ rival, playerId, mine }} />;
        }}
      </Rows>
    </section>
  );
}

function Rival({ rival, ...own }: Props & { rival: RivalFragment }) {
  const { t } = useLingui();
  const { playerId, name, daysWon, daysDrawn, daysLost, today } = rival;
  const client = useApolloClient();
  const [failed, setFailed] = useState(false);
  const forget = () =>
    client
      .mutate({
        mutation: ForgetRivalDocument,
        variables: { playerId },
        // Apollo leaves an evicted rival out of every list.
        update: (cache) => void cache.evict({ id: cache.identify({ __typename: 'Rival', playerId }) }),
      })
      .catch(() => setFailed(true));
  const remove = named(name, t`Remove <0>name</0> from your rivals`);
  return (
    <div className="challenge-rival soft number">
      <p>{t`Days won ${daysWon}, drawn ${daysDrawn}, lost ${daysLost}`}</p>
      {!today && <DareButton {...own} look="plain" label={t`Dare`} aria-label={named(name, t`Dare <0>name</0>`)} />}
      <Button ref={passFocusOn} look="quiet" aria-label={remove} title={remove} onClick={() => void forget()}>
        <X aria-hidden />
      </Button>
      {failed && <p role="alert">{t(TROUBLE.offlineStart)}</p>}
    </div>
  );
}

type DareProps = Props & Omit<ComponentProps<typeof ShareButton>, 'text' | 'url'>;

/** Dares others to beat the player's result of today. */
export function DareButton({ playerId, mine, ...button }: DareProps) {
  const { t } = useLingui();
  const { day, games, totalMoves } = mine.attempt;
  // A hidden player has no place, and a link to nobody.
  if (totalMoves === null || !mine.place) return null;

  const tiles = inTiles(games.map(({ result }) => result ?? 'lose'));
  const text = t`Tic-Tac-Toe, ${{ day: formatDay(day) }}: ${tiles} in ${plural({ moves: totalMoves }, { one: '# move', other: '# moves' })}. Beat me:`;
  return <ShareButton text={text} url={duelLink({ playerId, day })} {...button} />;
}
