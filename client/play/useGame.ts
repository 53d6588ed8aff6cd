import { useEffect, useRef, useState } from 'react';
import type { Square } from '../../game/board.js';
import type { Difficulty } from '../../game/bot.js';
import type { Deliveries } from './delivery/useDelivery.js';
import { canChangeTicket, inProgress, markSquare, startRound } from './round.js';
import { storedDifficulty } from './storedRound.js';
import { isFresh } from './tickets/ticket.js';
import { useRound } from './useRound.js';
import { useRoundTicket } from './useRoundTicket.js';

const DIFFICULTY_RESET_MS = 100;

export interface GameProps {
  readonly playerId: string;
  readonly deliveries: Deliveries;
  /** The session has ended, so no new game can start. */
  readonly ended: boolean;
  /** Called with whether a game is on the board, in progress or finished. */
  readonly onGameOnBoard: (gameOnBoard: boolean) => void;
  readonly onNewGame: () => void;
  readonly onSignInAgain: () => void;
}

export type PlayedGame = ReturnType<typeof useGame>;

/** The game on the page. It uses the rules that the server later checks it with, so no move waits for the network. */
export function useGame({ playerId, deliveries, ended, onGameOnBoard, onNewGame, onSignInAgain }: GameProps) {
  const { stats, pending } = deliveries;
  const current = useRound(playerId, deliveries);
  const { round, latest, announcement, change, applyMove } = current;
  const [difficulty, setDifficulty] = useState(round.difficulty);
  const { tickets, limit } = useRoundTicket(playerId, current, deliveries);
  const reset = useRef<ReturnType<typeof setTimeout>>(undefined);

  const gameOnBoard = round.game.board.some((mark) => mark !== null);
  useEffect(() => onGameOnBoard(gameOnBoard), [gameOnBoard, onGameOnBoard]);

  useEffect(() => () => clearTimeout(reset.current), []);

  const start = (next: Difficulty) => {
    clearTimeout(reset.current);
    reset.current = undefined;
    if (ended) return onSignInAgain();
    const { ticket } = latest.current;
    const unused = ticket && canChangeTicket(latest.current) && isFresh(ticket) ? ticket : null;
    if (unused && unused.difficulty !== next) tickets.giveBack(unused);
    change(startRound(next, unused?.difficulty === next ? unused : tickets.take(next), limit.getCountsFrom()));
    onNewGame();
  };

  return {
    round,
    difficulty,
    announcement,
    locked: inProgress(round),
    counts: round.ticket ? 'yes' : canChangeTicket(round) && tickets.isComing(round.difficulty) ? 'soon' : 'no',
    unsaved: pending.some(({ gameId }) => gameId === round.ticket?.gameId),
    newGame: () => start(difficulty),
    mark: (square: Square) => {
      if (reset.current !== undefined) return;
      const next = markSquare(latest.current, square, stats);
      if (next !== latest.current) applyMove(next);
    },
    chooseDifficulty: (next: Difficulty) => {
      if (inProgress(latest.current) || next === difficulty) return;
      setDifficulty(next);
      storedDifficulty.set(next);
      clearTimeout(reset.current);
      reset.current = setTimeout(() => start(next), DIFFICULTY_RESET_MS);
    },
  } as const;
}
