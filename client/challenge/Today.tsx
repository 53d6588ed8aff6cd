import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { messages } from '../messages/challenge.js';
import { messages as game } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
import { formatNumber, formatOrdinal } from '../ui/formatNumber.js';
import { useNow } from '../ui/time/useNow.js';
import { isDone, isUnderWay, nextStep, positionState, statesOf } from './attempt.js';
import { Squares } from './Squares.js';
import { useMyChallenge } from './useMyChallenge.js';
import type { MyChallenge } from './useMyChallenge.js';
import './Today.css';

/** Today's challenge beside the board: how far the player is, and how long the day lasts. */
export default function Today({ onOpen }: { onOpen: () => void }) {
  const { mine, failed } = useMyChallenge();
  const now = useNow();
  const left = mine && Date.parse(mine.endsAt) - now;
  const done = mine !== null && isDone(mine.attempt);
  return (
    <Card
      className="today"
      title={game.challenge}
      note={left !== null && (done ? messages.nextIn(left) : messages.left(left))}
    >
      <Squares
        states={mine ? statesOf(mine.attempt) : []}
        position={mine ? positionState(mine.attempt) : 'open'}
        label={messages.results}
      />
      <Button onClick={onOpen}>{messages.today[mine ? nextStep(mine.attempt) : 'begin']}</Button>
      <p className="today-said">{mine ? sayState(mine) : failed && messages.failed}</p>
    </Card>
  );
}

function sayState({ attempt, par, place, players, daysInARow }: MyChallenge): string {
  const { games, totalMoves } = attempt;
  const days = daysInARow > 0 ? [messages.daysInARow(formatNumber(daysInARow), daysInARow)] : [];
  const underWay = games.find(isUnderWay);
  if (underWay) return [messages.gameOf(underWay.number, CHALLENGE_GAMES, underWay.difficulty), ...days].join(' · ');
  if (totalMoves === null || par === null) return days[0] ?? messages.today.intro;
  const stands = place !== null ? [messages.place(formatOrdinal(place, game.ordinals), formatNumber(players))] : [];
  return [messages.moves(formatNumber(totalMoves), formatNumber(par)), ...stands, ...days].join(' · ');
}
