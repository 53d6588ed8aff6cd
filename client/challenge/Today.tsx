import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { messages } from '../messages/challenge.js';
import { messages as game } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
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
    <Card
      className="today"
      title={game.challenge}
      note={left !== null && (done ? messages.nextIn(left) : messages.left(left))}
    >
      {mine && <Tiles states={statesOf(mine.attempt)} label={messages.results} />}
      {failed && !mine ? (
        <Button onClick={reload}>{game.retry}</Button>
      ) : (
        // Its place is taken before the server says whether there is a game to play.
        <Button disabled={!mine} onClick={onOpen}>
          {nextStep}
        </Button>
      )}
      <p className="today-said soft">{mine ? sayState(mine) : failed && messages.failed}</p>
    </Card>
  );
}

function sayState({ attempt, place, players }: MyChallenge): string {
  const { games, totalMoves } = attempt;
  const underWay = games.find(isUnderWay);
  if (underWay) return messages.gameOf(underWay.number, CHALLENGE_GAMES, underWay.difficulty);
  if (totalMoves === null) return messages.today.intro;
  const moves = messages.moves(totalMoves);
  if (place === null) return moves;
  return `${moves} · ${messages.place(place, formatNumber(players))}`;
}
