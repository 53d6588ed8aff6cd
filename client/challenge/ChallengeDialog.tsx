import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { Square } from '../../game/board.js';
import { BOT_MOVE_DELAY, botSquare } from '../../game/bot.js';
import { CHALLENGE_DIFFICULTIES, CHALLENGE_GAMES, countedMoves } from '../../game/challenge.js';
import type { Dare } from '../../game/dare.js';
import type { Stats } from '../../game/scoring.js';
import { anonymous } from '../data/apollo.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { DuelDocument } from '../graphql/generated.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { formatDay } from '../ui/time/formatTime.js';
import { boardOf, type ChallengeGame as Game, isDone, nextMove } from './attempt.js';
import { ChallengeGame } from './ChallengeGame.js';
import { askedDuel } from './duel.js';
import { Overview } from './Overview.js';
import { DareButton } from './Rivals.js';
import { TROUBLE, useChallenge } from './useChallenge.js';
import { gameOf } from './words.js';
import './challenge.css';

interface Props {
  playerId: string;
  onCounted: (stats: Stats) => void;
  onBonus: (bonus: boolean) => void;
  onOpen: (practice: { __typename: 'Practice' } & Dare) => void;
  onClose: () => void;
}

/** Plays today's challenge: five games one after the other, and then the result. */
export function ChallengeDialog({ playerId, onCounted, onBonus, onOpen, onClose }: Props) {
  const { t } = useLingui();
  const challenge = useChallenge(onCounted);
  const { bonus, mine, failed, reload, next, shown, board, trouble, starting, start } = challenge;
  const [duel] = useState(askedDuel);
  useEffect(() => {
    if (bonus) onBonus(true);
    return () => void (bonus && onBonus(false));
  }, [bonus, onBonus]);
  const leave = () => {
    // A duel of today stays in the address until its games are over, one of another day until the dialog closes.
    if (duel && mine && (isDone(mine.attempt) || duel.day !== mine.attempt.day))
      history.replaceState({ ...(history.state as object), pushed: false }, '', '/');
    onClose();
  };
  return (
    <Dialog
      title={t`Today's challenge`}
      subtitle={shown ? gameOf(shown) : t`Five games, the same for everybody`}
      onClose={leave}
      closeLook="plain"
    >
      {shown && board ? (
        <ChallengeGame {...challenge} game={shown} board={board} />
      ) : (
        <Overview
          {...{ playerId, duel, mine, failed, reload }}
          onPlay={(dare) => onOpen({ __typename: 'Practice', ...dare })}
        >
          {trouble && (
            <p className="balanced" role="alert">
              {t(TROUBLE[trouble])}
            </p>
          )}
          {next && (
            <Button look="main" autoFocus aria-disabled={starting} onClick={start}>
              {t`Start game ${{ number: next.number }} of ${{ of: CHALLENGE_GAMES }}`}
            </Button>
          )}
          {mine && <DareButton playerId={playerId} mine={mine} label={t`Dare somebody`} />}
        </Overview>
      )}
    </Dialog>
  );
}

/** Plays the five games of a day that is over, whose seeds are public. The server hears nothing of it. */
export function PracticeDialog({ dare, playerId, onClose }: Pick<Props, 'playerId' | 'onClose'> & { dare: Dare }) {
  const { t } = useLingui();
  const { day } = dare;
  const variables = { day, rivalId: dare.playerId, playerId };
  const { data, failed, retry } = useRetryingQuery(DuelDocument, { variables, context: anonymous });
  const { seeds, par = null } = data?.challenge ?? {};
  const rival = dare.playerId === playerId ? null : data?.challenge.rival;
  /** Of each started game the squares of both sides. After the fifth, one more stands for the result. */
  const [played, setPlayed] = useState<readonly number[][]>([[]]);
  const games = CHALLENGE_DIFFICULTIES.map((difficulty, at) => {
    const squares = played[at] ?? [];
    const one: Game = { __typename: 'ChallengeGame', number: at + 1, difficulty, started: true, squares, result: null };
    return { ...one, result: boardOf(one, null).outcome?.result ?? null };
  });
  const game = games[played.length - 1];
  const board = game && boardOf(game, null);
  const add = (square: Square) => setPlayed([...played.slice(0, -1), [...played.at(-1)!, square]]);
  const goOn = () => setPlayed([...played, []]);

  useEffect(() => {
    if (board?.turn !== 'O' || !seeds) return;
    const square = botSquare({ board: board.board, difficulty: game!.difficulty, seed: seeds[played.length - 1]! });
    const timer = setTimeout(() => add(square), BOT_MOVE_DELAY);
    return () => clearTimeout(timer);
  });

  const totalMoves = games.reduce((sum, { squares, result }) => sum + countedMoves(squares, result), 0);
  return (
    <Dialog
      title={t`Practice: ${{ day: formatDay(day) }}`}
      subtitle={game ? gameOf(game) : t`No points, no place`}
      onClose={onClose}
      closeLook="plain"
    >
      {seeds && board ? (
        <ChallengeGame
          {...{ game, board, next: games[played.length], start: goOn, leaveBoard: goOn }}
          lastSquare={(game.squares.at(-1) ?? null) as Square | null}
          mark={(square) => nextMove(day, game, square) && add(square)}
        />
      ) : (
        <Overview
          {...{ playerId, duel: dare, reload: retry }}
          // The seeds are public a minute after the day.
          failed={failed || Boolean(data && !seeds)}
          mine={seeds ? { attempt: { __typename: 'ChallengeAttempt', day, games, totalMoves }, par, rival } : null}
        />
      )}
    </Dialog>
  );
}
