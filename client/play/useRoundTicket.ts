import { useEffect } from 'react';
import type { CountedListener } from './delivery/delivery.js';
import type { Deliveries } from './delivery/useDelivery.js';
import { canChangeTicket, wantsTicket } from './round.js';
import { useDayLimit } from './tickets/dayLimit.js';
import { useTickets } from './tickets/useTickets.js';
import type { CurrentRound } from './useRound.js';

/** Gives the round its ticket, and takes it back when the day's limit is reached, as long as the ticket can change. */
export function useRoundTicket(
  playerId: string,
  { round, latest, change }: CurrentRound,
  { onCounted, countsFrom: countsLaterFrom }: Deliveries,
) {
  const [limit, countsFrom] = useDayLimit(playerId);
  const tickets = useTickets(playerId, round.difficulty, limit);

  useEffect(() => {
    const takeAnswer: CountedListener = (answer) => {
      if (!answer) return;
      limit.set(answer.countsFrom);
      // Only the server knows about wins in other tabs, so its bonus replaces this page's.
      if (latest.current.ticket?.gameId === answer.game.id) change({ ...latest.current, bonus: answer.game.bonus });
    };
    return onCounted(takeAnswer);
  }, [change, latest, limit, onCounted]);
  useEffect(() => {
    if (countsLaterFrom) limit.set(countsLaterFrom);
  }, [countsLaterFrom, limit]);

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
