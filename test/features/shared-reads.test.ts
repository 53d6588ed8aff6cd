import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

const STATS = '{ me { stats { playerId wins } } }';

async function wins(player: Visitor): Promise<[playerId: string, wins: number] | string> {
  const { data, errors } = await player.graphql<{ me: { stats: { playerId: string; wins: number } } }>(STATS);
  return data ? [data.me.stats.playerId, data.me.stats.wins] : String(errors![0]!.extensions.code);
}

test('requests that arrive together get the stats of their own player, and none after sign-out', async () => {
  const players = await Promise.all(Array.from({ length: 12 }, () => aSignedInVisitor(server)));
  const signedOut = new Set(players.filter((_player, at) => at % 4 === 3));
  await Promise.all(
    players.map(async (player, at) => {
      for (let game = 0; game < at % 3; game++) {
        await player.postJson('/api/player/stats', { userId: player.user.id, result: 'win', difficulty: 'easy' });
      }
      if (signedOut.has(player)) await player.signOut();
    }),
  );

  const many = [...players, ...players, ...players, ...players];
  expect(await Promise.all(many.map(wins))).toEqual(
    many.map((player) => (signedOut.has(player) ? 'UNAUTHENTICATED' : [player.user.id, players.indexOf(player) % 3])),
  );
});
