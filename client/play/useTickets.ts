import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Difficulty } from '../../game/bot.js';
import { StartGameDocument } from '../graphql/generated.js';
import type { DayLimit } from './dayLimit.js';
import { StoredTickets } from './storedTickets.js';
import { Tickets } from './tickets.js';
import type { FetchTicket } from './tickets.js';

/** The tickets fetched ahead. Without one, and without a network, the game is practice, which is no error. */
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
    // The player may come from another device, where games were counted meanwhile.
    const onVisibilityChange = () => void (document.hidden || tickets.fetchTicketFor(first));
    window.addEventListener('online', stockUp);
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      window.removeEventListener('online', stockUp);
      document.removeEventListener('visibilitychange', onVisibilityChange);
      tickets.close();
    };
    // Only the stock at the beginning has a first one; later ones are fetched as they are taken.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [tickets]);

  return tickets;
}
