import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Difficulty } from '../../../game/bot.js';
import { StartGameDocument } from '../../graphql/generated.js';
import { listen } from '../../ui/listen.js';
import type { DayLimit } from './dayLimit.js';
import { StoredTickets } from './storedTickets.js';
import { Tickets, type FetchTicket } from './tickets.js';

/** Prefetches tickets. A failed request is not an error: the game is then a practice game. */
export function useTickets(playerId: string, first: Difficulty, limit: DayLimit): Tickets {
  const client = useApolloClient();
  const [tickets] = useState(() => {
    const fetchTicket: FetchTicket = async (difficulty) => {
      const answer = await client.mutate({ mutation: StartGameDocument, variables: { difficulty } }).catch(() => null);
      return answer?.data?.startGame ?? null;
    };
    return new Tickets(fetchTicket, new StoredTickets(playerId), limit);
  });
  useSyncExternalStore(tickets.subscribe, tickets.getVersion);

  useEffect(() => {
    const stockUp = () => void tickets.stockUp(first);
    stockUp();
    // Games on another device may have reached the day's limit meanwhile.
    const onVisibilityChange = () => void (document.hidden || tickets.fetchTicketFor(first));
    const listeners = [listen(window, 'online', stockUp), listen(document, 'visibilitychange', onVisibilityChange)];
    return () => {
      listeners.forEach((stop) => stop());
      tickets.close();
    };
    // `first` only sets the order of the first requests.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [tickets]);

  return tickets;
}
