import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { playGame } from '../support/play.js';
import { removeData, type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

const report = (player: Visitor, result: string) =>
  player.postJson('/api/player/stats', { userId: player.user!.id, result, difficulty: 'easy' });
const standing = async (player: Visitor) =>
  (await player.graphql<{ me: { standing: object } }>('{ me { standing { rank exact players } } }')).data!.me.standing;

/** Starts a subscription; `next` waits for its next answer. */
function follow(query: string, { origin = server.origin } = {}) {
  const client = createClient({
    url: `${server.origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, { origin });
      }
    },
    retryAttempts: 0,
  });
  const answers = client.iterate<{ leaderboard: { name: string; score: number }[] }>({ query });
  return { next: async () => (await answers.next()).value as unknown, end: () => client.dispose() };
}

describe('the standing', () => {
  test('is the place on the leaderboard among all players with a finished game', async () => {
    await removeData(server);
    const [first, second, third, idle] = await Promise.all([1, 2, 3, 4].map(() => aSignedInVisitor(server)));
    expect(await standing(idle!)).toBeNull();
    for (const result of ['win', 'win', 'win']) await report(first!, result);
    await report(second!, 'win');
    await report(third!, 'win');
    expect(await standing(first!)).toEqual({ rank: 1, exact: true, players: 3 });
    expect(await standing(second!)).toEqual({ rank: 2, exact: true, players: 3 });
    expect(await standing(third!)).toEqual({ rank: 3, exact: true, players: 3 });
    await report(third!, 'lose');
    await report(idle!, 'draw');
    // Both have no points, but one of them has won a game.
    expect(await standing(third!)).toEqual({ rank: 3, exact: true, players: 4 });
    expect(await standing(idle!)).toEqual({ rank: 4, exact: true, players: 4 });
  });
});

describe('the live leaderboard', () => {
  const TOP = 'subscription { leaderboard { name score } }';

  test('sends the top ten at once and after each change', async () => {
    await removeData(server);
    const player = await aSignedInVisitor(server, { name: 'Watched' });
    const live = follow(TOP);
    expect(await live.next()).toEqual({ data: { leaderboard: [] } });
    await playGame(server, player, { result: 'win' });
    expect(await live.next()).toEqual({ data: { leaderboard: [{ name: 'Watched', score: 1 }] } });
    await live.end();
  });

  test.each([
    ['a query', '{ leaderboard { name } }', 'Only subscriptions run over a socket'],
    ['a mutation', 'mutation { startGame(difficulty: easy) { token } }', 'Only subscriptions run over a socket'],
    ['an unknown field', 'subscription { everything }', 'Cannot query field'],
    [
      'too much',
      `subscription { leaderboard { ${Array.from({ length: 20 }, (_, i) => `a${i}: name`).join(' ')} } }`,
      'aliases',
    ],
  ])('rejects %s with a message', async (_case, query, sentence) => {
    const live = follow(query);
    await expect(live.next()).rejects.toEqual([
      expect.objectContaining({ message: expect.stringContaining(sentence) }),
    ]);
    await live.end();
  });
});
