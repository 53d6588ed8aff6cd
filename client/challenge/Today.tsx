import { selectOrdinal, t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
import { formatNumber } from '../ui/formatNumber.js';
import { useNow } from '../ui/time/clock.js';
import { PlayerLink } from '../ui/PlayerLink.js';
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
  return (
    <Card className="today" title={t`Today's challenge`}>
      {mine && <Tiles states={statesOf(mine.attempt)} label={t`Your games`} />}
      {failed && !mine ? (
        <Button onClick={reload}>{t`Try again`}</Button>
      ) : (
        // Its place is taken before the server says whether there is a game to play.
        <Button disabled={!mine} onClick={onOpen}>
          {nextStep}
        </Button>
      )}
      <p className="today-said soft">
        <span>{mine ? sayState(mine) : failed && t`The challenge could not be loaded.`}</span>{' '}
        {left !== null && (
          <span>{done ? t`Next in ${{ time: inTime(left) }}` : t`${{ time: inTime(left) }} left`}</span>
        )}
      </p>
      {mine && mine.takers.length > 0 && <Takers {...mine} />}
    </Card>
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
  if (result === 'win')
    return (
      <Trans>
        {who} took your dare: {wins} of 5, and beat you.
      </Trans>
    );
  if (result === 'draw')
    return (
      <Trans>
        {who} took your dare: {wins} of 5, a draw.
      </Trans>
    );
  return (
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
