import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { rebuildStats } from '../support/rebuildStats.js';
import { query, type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

test('ttt stats rebuild reports every difference in stats, score counts and daily counts', async () => {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  await playGame(server, player, { result: 'win' });
  // A row with no players left for its score is not a difference.
  expect(await rebuildStats(server)).toEqual({ code: 0, said: '2 games of 1 players: 0 differences\n' });

  // The server may be folding now, or have folded.
  await query(server, 'SELECT fold_score_changes(1000)');
  await eventually(() => query(server, 'SELECT players FROM score_totals WHERE score = 2'), [{ players: 1 }]);
  await query(server, 'UPDATE score_totals SET players = 3 WHERE score = 2');
  await query(server, 'INSERT INTO score_totals VALUES (7, 1)');
  const { code, said } = await rebuildStats(server);
  expect([code, said.split('\n').toSorted()]).toEqual([
    1,
    [
      '',
      '2 games of 1 players: 3 differences',
      'score 2: stored 3 players, recomputed 1 players',
      'score 7: stored 1 players, recomputed 0 players',
      'scores 0 to 99: stored 1 players, recomputed 4 players',
    ],
  ]);

  await query(server, 'UPDATE player_stats SET verified_that_day = 1');
  const { said: thirdly } = await rebuildStats(server);
  expect(thirdly).toMatch(/^[\da-f-]+: stored {"day":"[\d-]+","games":1}, recomputed {"day":"[\d-]+","games":2}$/m);

  await query(server, 'UPDATE player_stats SET draws = 5');
  const { said: then } = await rebuildStats(server);
  expect(then).toMatch(new RegExp(`^${player.user.id}: stored {.*"draws":5.*}, recomputed {.*"draws":0.*}$`, 'm'));
});
