import { ApolloClient, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';

/** After sleep or on another network, a socket can be dead without a close. */
const PING_MS = 30_000;
const PONG_MS = 5_000;

/**
 * A client for subscriptions, which are public. It is apart from that of the page, so that graphql-ws loads with the
 * leaderboard. The socket opens with the first subscription, and the subscriber tries again when it is lost.
 */
export function createLiveClient(): ApolloClient {
  let dead: ReturnType<typeof setTimeout> | undefined;
  const socket = createClient({
    url: window.location.origin.replace(/^http/, 'ws') + '/graphql',
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      ping: (received) => {
        if (!received) dead = setTimeout(() => socket.terminate(), PONG_MS);
      },
      pong: () => clearTimeout(dead),
      closed: () => clearTimeout(dead),
    },
  });
  return new ApolloClient({ cache: new InMemoryCache(), link: new GraphQLWsLink(socket) });
}
