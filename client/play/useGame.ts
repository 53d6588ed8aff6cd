import { startTransition, useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { Square } from '../../game/board.js';
import { BOT_MOVE_DELAY, type Difficulty } from '../../game/bot.js';
import { openChannel } from '../data/tabs.js';
import type { CountedListener, Deliveries } from './delivery.js';
import type { FinishedGame } from './outbox.js';
import {
  announce,
  canChangeTicket,
  inProgress,
  markSquare,
  playBotMove,
  restoredRound,
  startRound,
  storeRound,
  storedDifficulty,
  wantsTicket,
  type Round,
} from './round.js';
import { isFresh, useDayLimit, useTickets } from './tickets.js';

const DIFFICULTY_RESET_MS = 100;

export interface GameProps {
  readonly playerId: string;
  readonly deliveries: Deliveries;
  /** The session has ended, so a new game is practice. */
  readonly ended: boolean;
  readonly onBonus: (bonus: boolean) => void;
  /** Called with whether a game is on the board, in progress or finished. */
  readonly onGameOnBoard: (gameOnBoard: boolean) => void;
  readonly onNewGame: () => void;
  readonly onSignInAgain: () => void;
}

export type PlayedGame = ReturnType<typeof useGame>;

/** The game on the page. It uses the rules that the server later checks it with, so no move waits for the network. */
export function useGame({ playerId, deliveries, onBonus, onGameOnBoard, onNewGame }: GameProps) {
  const { stats, pending } = deliveries;
  const current = useRound(playerId, deliveries);
  const { round, latest, announcement, change, applyMove } = current;
  const [difficulty, setDifficulty] = useState(round.difficulty);
  const { tickets, limit } = useRoundTicket(playerId, current, deliveries);
  const resetTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => startTransition(() => onBonus(round.bonus)), [round.bonus, onBonus]);
  const gameOnBoard = round.game.board.some((mark) => mark !== null);
  useEffect(() => onGameOnBoard(gameOnBoard), [gameOnBoard, onGameOnBoard]);

  useEffect(() => () => clearTimeout(resetTimer.current), []);

  const start = (next: Difficulty) => {
    clearTimeout(resetTimer.current);
    resetTimer.current = undefined;
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
    gamesPerDay: limit.gamesPerDay,
    locked: inProgress(round),
    counts: round.ticket ? 'yes' : canChangeTicket(round) && tickets.isComing(round.difficulty) ? 'soon' : 'no',
    unsaved: pending.some(({ gameId }) => gameId === round.ticket?.gameId),
    newGame: () => start(difficulty),
    mark: (square: Square) => {
      if (resetTimer.current !== undefined) return;
      const next = markSquare(latest.current, square, stats);
      if (next !== latest.current) applyMove(next);
    },
    chooseDifficulty: (next: Difficulty) => {
      if (inProgress(latest.current) || next === difficulty) return;
      setDifficulty(next);
      storedDifficulty.set(next);
      clearTimeout(resetTimer.current);
      resetTimer.current = setTimeout(() => start(next), DIFFICULTY_RESET_MS);
    },
  } as const;
}

/** The round on the page: stores it, announces its steps, lets the bot move, and submits it when it is over. */
function useRound(playerId: string, { pending, submit }: Deliveries) {
  const [round, setRound] = useState(() => firstRound(playerId, pending));
  /** The rounds of the last step, of which the page says something. In words only when it is drawn, in the language of then. */
  const [step, setStep] = useState<readonly [Round, Round] | null>(null);
  const announcement = (step && announce(...step)) ?? '';
  // The newest round, which the next click uses even before React renders it.
  const latest = useRef(round);

  const change = useCallback(
    (next: Round) => {
      const before = latest.current;
      latest.current = next;
      setRound(next);
      storeRound(playerId, next);
      if (announce(before, next)) setStep([before, next]);
    },
    [playerId],
  );

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

  useDuplicate(latest, change);

  useEffect(() => {
    if (round.game.turn !== 'O') return;
    const timer = setTimeout(() => applyMove(playBotMove(latest.current)), BOT_MOVE_DELAY);
    return () => clearTimeout(timer);
  }, [round.game, applyMove]);

  return { round, latest, announcement, change, applyMove };
}

/** A message to the other tabs: who has this game? Or the answer of the tab that has it. */
interface GameMessage {
  readonly gameId: string;
  readonly answer: boolean;
}

/** A duplicated tab starts with a copy of the tab's storage, and so of its game. It leaves the game to the other tab. */
function useDuplicate(latest: RefObject<Round>, change: (next: Round) => void): void {
  useEffect(() => {
    const channel = openChannel('game');
    const gameId = latest.current.ticket?.gameId;
    channel?.addEventListener('message', ({ data }: MessageEvent<GameMessage>) => {
      const { ticket, difficulty } = latest.current;
      if (data.gameId !== ticket?.gameId) return;
      if (data.answer) change(startRound(difficulty, null));
      else channel.postMessage({ ...data, answer: true });
    });
    if (gameId) channel?.postMessage({ gameId, answer: false } satisfies GameMessage);
    return () => channel?.close();
  }, [latest, change]);
}

/** The game that a reload interrupted, unless it has been finished meanwhile; otherwise a new one. */
function firstRound(playerId: string, finished: readonly FinishedGame[]): Round {
  const stored = restoredRound(playerId);
  const isFinished = stored !== null && finished.some(({ gameId }) => gameId === stored.ticket?.gameId);
  return stored && !isFinished ? stored : startRound(storedDifficulty.get(), null);
}

/** Gives the round its ticket, and takes it back when the day's limit is reached, as long as the ticket can change. */
function useRoundTicket(
  playerId: string,
  { round, latest, change }: ReturnType<typeof useRound>,
  { onCounted, countsFrom: countsLaterFrom, gamesPerDay }: Deliveries,
) {
  const [limit, countsFrom] = useDayLimit(playerId);
  const tickets = useTickets(playerId, round.difficulty, limit);

  useEffect(() => {
    const takeAnswer: CountedListener = (answer) => {
      if (!answer) return;
      limit.set(answer);
      // Only the server knows about wins in other tabs, so its bonus replaces this page's.
      if (latest.current.ticket?.gameId === answer.game.id) change({ ...latest.current, bonus: answer.game.bonus });
    };
    return onCounted(takeAnswer);
  }, [change, latest, limit, onCounted]);
  useEffect(() => {
    if (countsLaterFrom) limit.set({ countsFrom: countsLaterFrom, gamesPerDay });
  }, [countsLaterFrom, gamesPerDay, limit]);

  // Before the bot's first move, the limit also applies to the current game. Its ticket stays for the next day.
  useEffect(() => {
    const now = latest.current;
    if (now.countsFrom === countsFrom || !canChangeTicket(now)) return;
    if (now.ticket) tickets.giveBack(now.ticket);
    change({ ...now, ticket: null, countsFrom });
  }, [countsFrom, round, latest, tickets, change]);

  const ticketHere = tickets.has(round.difficulty);
  useEffect(() => {
    if (!ticketHere || !wantsTicket(round)) return;
    change({ ...latest.current, ticket: tickets.take(round.difficulty) });
  }, [ticketHere, round, latest, tickets, change]);

  return { tickets, limit };
}
