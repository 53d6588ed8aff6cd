import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { messages } from '../messages/challenge.js';
import { messages as game } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
import { filled } from '../ui/filled.js';
import { formatNumber } from '../ui/formatNumber.js';
import { useNow } from '../ui/time/clock.js';
import { isBegun, isDone, isUnderWay, statesOf } from './attempt.js';
import { Tiles } from './Tiles.js';
import { useMyChallenge, type MyChallenge } from './useChallenge.js';
import './challenge.css';

/** Today's challenge beside the board: how far the player is, and how long the day lasts. */
export default function Today({ onOpen }: { onOpen: () => void }) {
  const { mine, failed, reload } = useMyChallenge();
  const now = useNow();
  const left = mine && Date.parse(mine.endsAt) - now;
  const done = mine !== null && isDone(mine.attempt);
  const begun = mine !== null && isBegun(mine.attempt);
  const nextStep = done ? messages.today.result : begun ? messages.today.goOn : messages.today.play;
  return (
    <Card className="today" title={game.challenge}>
      {mine && <Tiles states={statesOf(mine.attempt)} label={messages.results} />}
      {failed && !mine ? (
        <Button onClick={reload}>{game.retry}</Button>
      ) : (
        // Its place is taken before the server says whether there is a game to play.
        <Button disabled={!mine} onClick={onOpen}>
          {nextStep}
        </Button>
      )}
      <p className="today-said soft">
        <span>{mine ? sayState(mine) : failed && messages.failed}</span>{' '}
        {left !== null && <span>{done ? messages.nextIn(left) : messages.left(left)}</span>}
      </p>
      {mine && mine.takers.length > 0 && <Takers {...mine} />}
    </Card>
  );
}

/** Who came by the player's link. */
function Takers({ takers, takersInAll }: Pick<MyChallenge, 'takers' | 'takersInAll'>) {
  const more = takersInAll - takers.length;
  return (
    <ul className="today-takers soft">
      {takers.map(({ name, wins, result }, at) => (
        <li key={at}>
          {filled(messages.today.taker(wins, result), () => (
            <bdi className="clipped" translate="no">
              {name}
            </bdi>
          ))}
        </li>
      ))}
      {more > 0 && <li>{messages.today.moreTakers(formatNumber(more))}</li>}
    </ul>
  );
}

function sayState({ attempt, place, players, yesterday, run }: MyChallenge): string {
  const { totalMoves } = attempt;
  const underWay = attempt.games.find(isUnderWay);
  if (underWay) return messages.gameOf(underWay.number, CHALLENGE_GAMES, underWay.difficulty);
  const said = [
    place !== null && messages.place(place, formatNumber(players)),
    !totalMoves && yesterday && messages.today.yesterday(yesterday.place, formatNumber(yesterday.players)),
    run > 1 && messages.today.run(formatNumber(run)),
  ].filter(Boolean);
  return said.join(' · ') || (totalMoves ? messages.moves(totalMoves) : messages.today.intro);
}
