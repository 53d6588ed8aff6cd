import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import type { Square } from '../../game/board.js';
import type { Stats } from '../../game/scoring.js';
import { StartChallengeGameDocument } from '../graphql/generated.js';
import { gameOnBoard, gameToStart, isUnderWay, nextMove } from './attempt.js';
import { useAttempt } from './useAttempt.js';
import { useMoves } from './useMoves.js';

export type Challenge = ReturnType<typeof useChallenge>;

/** Plays the challenge: starts its games and plays their moves. */
export function useChallenge(onCounted: (stats: Stats) => void) {
  const client = useApolloClient();
  const attempt = useAttempt(onCounted);
  const { mine, send } = attempt;
  const [starting, setStarting] = useState(false);
  /** The number of the finished game that is still on the board. */
  const [finished, setFinished] = useState<number | null>(null);
  const { pending, play, retry } = useMoves(attempt, setFinished);

  const games = mine?.attempt.games ?? [];
  const day = mine?.attempt.day;
  const shown = games.find(isUnderWay) ?? games.find(({ number }) => number === finished) ?? null;
  const waiting = pending?.day === day ? pending : null;

  const start = async () => {
    const next = gameToStart(games);
    if (!next || !day || starting) return;
    setStarting(true);
    const request = async () => {
      const variables = { day, game: next.number };
      const { data } = await client.mutate({
        mutation: StartChallengeGameDocument,
        variables,
        fetchPolicy: 'no-cache',
      });
      return data!.startChallengeGame;
    };
    await send(request, () => setFinished(null), 'offlineStart');
    setStarting(false);
  };

  return {
    ...attempt,
    /** The game on the board: under way, or finished a moment ago. */
    shown,
    board: shown && gameOnBoard(shown, waiting),
    lastSquare: (waiting?.square ?? shown?.squares.at(-1) ?? null) as Square | null,
    starting,
    start: () => void start(),
    retry,
    leaveBoard: () => setFinished(null),
    mark: (square: Square) => {
      const move = day && shown && !pending ? nextMove(day, shown, square) : null;
      if (move) void play(move);
    },
  };
}
