import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DIFFICULTIES } from '../../game/bot.js';
import { addResult, noStats } from '../../game/scoring.js';
import { rebuildStats } from '../support/rebuildStats.js';
import { type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

const result = fc.constantFrom<'win' | 'lose' | 'draw'>('win', 'win', 'lose', 'draw');
const difficulty = fc.constantFrom(...DIFFICULTIES);
const results = fc.array(fc.record({ result, difficulty }), { maxLength: 30 });

test('the rules, the database and ttt stats rebuild agree on any sequence of results', async () => {
  let games = 0;
  let players = 0;
  const check = async (sequence: { result: 'win' | 'lose' | 'draw'; difficulty: (typeof DIFFICULTIES)[number] }[]) => {
    const player: Visitor = await aSignedInVisitor(server);
    let expected = noStats;
    for (const played of sequence) {
      expected = addResult(expected, played.result, played.difficulty).stats;
      const response = await player.postJson('/api/player/stats', { userId: player.user!.id, ...played });
      const { win_streak, ...rest } = (await response.json()) as Record<string, number>;
      expect({ winStreak: win_streak, ...rest }).toEqual(expected);
    }
    games += sequence.length;
    players += sequence.length > 0 ? 1 : 0;
  };
  await fc.assert(fc.asyncProperty(results, check), { numRuns: 20, endOnFailure: true });

  const said = `${games} games of ${players} players: 0 differences\n`;
  expect(await rebuildStats(server)).toEqual({ code: 0, said });
});
