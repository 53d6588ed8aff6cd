import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { playGame } from '../support/play.js';
import { rebuildStats } from '../support/rebuildStats.js';
import { query, type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

test('ttt stats rebuild reports every difference in stats and daily counts', async () => {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  await playGame(server, player, { result: 'win' });
  expect(await rebuildStats(server)).toEqual({ code: 0, said: '2 games of 1 players: 0 differences\n' });

  await query(server, 'UPDATE player_stats SET verified_that_day = 1');
  const { said: thirdly } = await rebuildStats(server);
  expect(thirdly).toMatch(/^[\da-f-]+: stored {.*"verifiedThatDay":1.*}, recomputed {.*"verifiedThatDay":2.*}$/m);

  await query(server, 'UPDATE player_stats SET draws = 5');
  const { said: then } = await rebuildStats(server);
  expect(then).toMatch(new RegExp(`^${player.user.id}: stored {.*"draws":5.*}, recomputed {.*"draws":0.*}$`, 'm'));
});
