import { useCallback, useEffect, useRef, useState } from 'react';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { announce } from './announcement.js';
import type { FinishedGame } from './delivery/outbox.js';
import type { Deliveries } from './delivery/useDelivery.js';
import { playBotMove, startRound } from './round.js';
import type { Round } from './round.js';
import { StoredRound, storedDifficulty } from './storedRound.js';

export type CurrentRound = ReturnType<typeof useRound>;

/** The round on the page: stores it, announces its steps, lets the bot move, and submits it when it is over. */
export function useRound(playerId: string, { pending, submit }: Deliveries) {
  const [storedRound] = useState(() => new StoredRound(playerId));
  const [round, setRound] = useState(() => firstRound(storedRound, pending));
  const [announcement, setAnnouncement] = useState('');
  // The newest round, which the next click uses even before React renders it.
  const latest = useRef(round);

  const change = useCallback(
    (next: Round) => {
      const before = latest.current;
      latest.current = next;
      setRound(next);
      storedRound.set(next);
      setAnnouncement((said) => announce(before, next) ?? said);
    },
    [storedRound],
  );

  /** Applies a move of either side. */
  const applyMove = useCallback(
    (next: Round) => {
      change(next);
      const { ticket, squares, game } = next;
      if (!game.outcome || !ticket) return;
      const { result } = game.outcome;
      const { gameId, token, difficulty } = ticket;
      submit({ gameId, ticket: token, squares, difficulty, result, finishedAt: Date.now() });
    },
    [change, submit],
  );

  useEffect(() => {
    if (round.game.turn !== 'O') return;
    const timer = setTimeout(() => applyMove(playBotMove(latest.current)), BOT_MOVE_DELAY);
    return () => clearTimeout(timer);
  }, [round.game, applyMove]);

  return { round, latest, announcement, change, applyMove };
}

/** The game that a reload interrupted, unless it has been finished meanwhile; otherwise a new one. */
function firstRound(storedRound: StoredRound, finished: readonly FinishedGame[]): Round {
  const stored = storedRound.get();
  const isFinished = stored !== null && finished.some(({ gameId }) => gameId === stored.ticket?.gameId);
  return stored && !isFinished ? stored : startRound(storedDifficulty.get(), null);
}
