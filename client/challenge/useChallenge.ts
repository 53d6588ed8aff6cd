import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import type { Square } from '../../game/board.js';
import type { Stats } from '../../game/scoring.js';
import { AnswerChallengePositionDocument, StartChallengeGameDocument } from '../graphql/generated.js';
import { gameOnBoard, gameToStart, isUnderWay, nextMove } from './attempt.js';
import { useAttempt } from './useAttempt.js';
import type { Answer, Attempt } from './useAttempt.js';
import { useMoves } from './useMoves.js';

export type Challenge = ReturnType<typeof useChallenge>;

/** Plays the challenge: starts its games and plays their moves. */
export function useChallenge(onCounted: (stats: Stats) => void) {
  const client = useApolloClient();
  const attempt = useAttempt(onCounted);
  const { mine, send, reload } = attempt;
  const { starting, sendOnce } = useSendOnce(send);
  /** The number of the finished game that is still on the board. */
  const [finished, setFinished] = useState<number | null>(null);
  const { pending, play, retry } = useMoves(attempt, setFinished);

  const games = mine?.attempt.games ?? [];
  const day = mine?.attempt.day;
  const shown = games.find(isUnderWay) ?? games.find(({ number }) => number === finished) ?? null;
  const waiting = pending?.day === day ? pending : null;

  const start = async () => {
    const next = gameToStart(games);
    if (!next || !day) return;
    const request = async () => {
      const variables = { day, game: next.number };
      const { data } = await client.mutate({
        mutation: StartChallengeGameDocument,
        variables,
        fetchPolicy: 'no-cache',
      });
      return data!.startChallengeGame;
    };
    await sendOnce(request, () => setFinished(null));
  };

  const answerPosition = async (square: Square) => {
    if (!day) return;
    const request = async () => {
      const variables = { day, square };
      const mutation = AnswerChallengePositionDocument;
      const { data } = await client.mutate({ mutation, variables, fetchPolicy: 'no-cache' });
      return data!.answerChallengePosition;
    };
    await sendOnce(request, reload);
  };

  return {
    ...attempt,
    /** The game on the board: under way, or finished a moment ago. */
    shown,
    board: shown && gameOnBoard(shown, waiting),
    lastSquare: (waiting?.square ?? shown?.squares.at(-1) ?? null) as Square | null,
    starting,
    start: () => void start(),
    answerPosition: (square: Square) => void answerPosition(square),
    retry,
    leaveBoard: () => setFinished(null),
    mark: (square: Square) => {
      const move = day && shown && !pending ? nextMove(day, shown, square) : null;
      if (move) void play(move);
    },
  };
}

/** Sends a start or an answer, one at a time. */
function useSendOnce(send: Attempt['send']) {
  const [starting, setStarting] = useState(false);
  const sendOnce = async (request: () => Promise<Answer>, onAnswer: () => void) => {
    if (starting) return;
    setStarting(true);
    await send(request, onAnswer, 'offlineStart');
    setStarting(false);
  };
  return { starting, sendOnce };
}
