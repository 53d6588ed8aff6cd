import { selectOrdinal, t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toldKey } from '../data/playerStorage.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
import { formatNumber } from '../ui/formatNumber.js';
import { DAY, useNow } from '../ui/time/clock.js';
import { PlayerLink } from '../ui/PlayerLink.js';
import { PlayerName } from '../ui/PlayerName.js';
import { stored } from '../ui/stored.js';
import { isBegun, isDone, isUnderWay, statesOf } from './attempt.js';
import { Tiles } from './Tiles.js';
import { useMyChallenge, type MyChallenge } from './useChallenge.js';
import { gameOf, inTime, movesOf, placeToday } from './words.js';
import './challenge.css';

/** Today's challenge beside the board: how far the player is, and how long the day lasts. */
export default function Today({ onOpen }: { onOpen: () => void }) {
  const { t } = useLingui();
  const { mine, failed, reload } = useMyChallenge();
  const now = useNow();
  const left = mine && Date.parse(mine.endsAt) - now;
  const done = mine !== null && isDone(mine.attempt);
  const begun = mine !== null && isBegun(mine.attempt);
  const nextStep = done ? t`Result` : begun ? t`Continue` : t({ message: 'Play', context: 'begin the challenge' });
  const time = left !== null && (done ? t`Next in ${{ time: inTime(left) }}` : t`${{ time: inTime(left) }} left`);
  return (
    <Card className="today" title={t`Today's challenge`} note={time}>
      {mine && <Tiles states={statesOf(mine.attempt)} label={t`Your games`} />}
      {failed && !mine ? (
        <Button onClick={reload}>{t`Try again`}</Button>
      ) : (
        // Its place is taken before the server says whether there is a game to play.
        <Button disabled={!mine} onClick={onOpen}>
          {nextStep}
        </Button>
      )}
      <p className="today-said soft" data-time={time || undefined}>
        {mine ? sayState(mine) : failed && t`The challenge could not be loaded.`}
      </p>
      {mine && mine.takers.length > 0 && <Takers {...mine} />}
      {mine && <Beaten {...mine} onOpen={onOpen} />}
    </Card>
  );
}

/** Says once in each browser that a rival was better, today or yesterday. Of a taker, the card says so already. */
function Beaten({ attempt, me, takers, onOpen }: MyChallenge & { onOpen: () => void }) {
  const key = toldKey(me.id);
  const [told] = useState(() => stored.get(key) ?? '');
  const yesterday = new Date(Date.parse(attempt.day) - DAY).toISOString().slice(0, 10);
  const news = me.rivals.filter(({ lastLost }) => lastLost !== null && lastLost >= yesterday);
  const keyOf = ({ playerId, lastLost }: (typeof news)[number]) => `${lastLost}/${playerId}`;
  const isTold = (one: (typeof news)[number]) =>
    told.includes(keyOf(one)) || takers.some(({ playerId }) => playerId === one.playerId);
  const first = news.find((one) => !isTold(one));
  // The next one is told at the next visit.
  const heard = news
    .filter((one) => one === first || isTold(one))
    .map(keyOf)
    .join(' ');
  useEffect(() => void (heard && stored.set(key, heard)), [key, heard]);
  if (!first) return null;
  const isToday = first.lastLost === attempt.day;
  const who = <PlayerName of={first.name} />;
  return (
    <Button look="quiet" className="today-beaten" onClick={onOpen}>
      <span>
        {isToday && <Trans>{who} has beaten your result of today.</Trans>}
        {!isToday && <Trans>{who} has beaten your result of yesterday.</Trans>}
      </span>
      <ChevronRight aria-hidden />
    </Button>
  );
}

/** Who came by the player's link. */
function Takers({ takers, takersInAll }: Pick<MyChallenge, 'takers' | 'takersInAll'>) {
  const { t } = useLingui();
  const more = takersInAll - takers.length;
  return (
    <ul className="today-takers soft">
      {takers.map((taker, at) => (
        <li key={at}>
          <Taker {...taker} />
        </li>
      ))}
      {more > 0 && <li>{t`And ${{ more: formatNumber(more) }} more.`}</li>}
    </ul>
  );
}

function Taker({ playerId, name, wins, result }: MyChallenge['takers'][number]) {
  const who = <PlayerLink playerId={playerId} name={name} />;
  return result === 'win' ? (
    <Trans>
      {who} took your dare: {wins} of 5, and beat you.
    </Trans>
  ) : result === 'draw' ? (
    <Trans>
      {who} took your dare: {wins} of 5, a draw.
    </Trans>
  ) : (
    <Trans>
      {who} took your dare: {wins} of 5, and you won.
    </Trans>
  );
}

function sayState({ attempt, place, players, yesterday, run }: MyChallenge): string {
  const { totalMoves } = attempt;
  const underWay = attempt.games.find(isUnderWay);
  if (underWay) return gameOf(underWay);
  const said = [
    place !== null && placeToday(place, players),
    !totalMoves &&
      yesterday &&
      t`Yesterday: ${selectOrdinal({ place: yesterday.place }, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} of ${{ players: formatNumber(yesterday.players) }}`,
    run > 1 && t`Day ${{ days: formatNumber(run) }}`,
  ].filter(Boolean);
  return said.join(' · ') || (totalMoves ? movesOf(totalMoves) : t`Today's five games. One try.`);
}
