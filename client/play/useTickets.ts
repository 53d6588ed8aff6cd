import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Difficulty } from '../../game/bot.js';
import { StartGameDocument } from '../graphql/generated.js';
import { StoredTickets } from './storedTickets.js';
import { Tickets } from './tickets.js';

/** The tickets fetched ahead. Without one, and without a network, the game is practice, which is no error. */
export function useTickets(playerId: string, first: Difficulty): Tickets {
  const client = useApolloClient();
  const [tickets] = useState(
    () =>
      new Tickets(async (difficulty) => {
        const answer = await client
          .mutate({ mutation: StartGameDocument, variables: { difficulty } })
          .catch(() => null);
        return answer?.data?.startGame ?? null;
      }, new StoredTickets(playerId)),
  );
  useSyncExternalStore(tickets.watch, tickets.getVersion);

  useEffect(() => {
    const stockUp = () => void tickets.stockUp(first);
    stockUp();
    window.addEventListener('online', stockUp);
    return () => {
      window.removeEventListener('online', stockUp);
      tickets.close();
    };
    // Only the stock at the beginning has a first one; later ones are fetched as they are taken.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [tickets]);

  return tickets;
}
