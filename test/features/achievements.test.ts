import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { DIFFICULTIES } from '../../game/bot.js';
import type { Difficulty } from '../../game/bot.js';
import { RESULTS } from '../../game/rules.js';
import type { Result } from '../../game/rules.js';
import { playGame } from '../support/play.js';
import { aServer, query } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

const server = aServer();

const FIELDS = `hardDraws hardDrawsInARow bestHardDrawsInARow badges
  badgeDetails { badge reached reachedAt progress goal }`;
const achievementsOf = async (player: Visitor) =>
  (await player.graphql<{ me: { achievements: object } }>(`{ me { achievements { ${FIELDS} } } }`)).data!.me
    .achievements;

const finish = async (player: Visitor, result: Result, difficulty: Difficulty) =>
  String((await playGame(server, player, { result, difficulty })).game!.finishedAt);

test('a badge has the time of its game, and ten draws count up to it', async () => {
  const player = await aSignedInVisitor(server);
  const none = { reached: false, reachedAt: null, progress: null, goal: null };
  const [easy, medium, hard] = ['first_easy_win', 'first_medium_win', 'first_hard_draw'];
  const ten = { ...none, badge: 'ten_hard_draws', goal: 10 };
  expect(await achievementsOf(player)).toEqual({
    ...expectedOf([]),
    badges: [],
    badgeDetails: [...[easy, medium, hard].map((badge) => ({ ...none, badge })), { ...ten, progress: 0 }],
  });

  const won = await finish(player, 'win', 'easy');
  await finish(player, 'win', 'easy');
  const drawn = await finish(player, 'draw', 'hard');
  const reached = (badge: string, reachedAt: string) => ({ ...none, badge, reached: true, reachedAt });
  expect(await achievementsOf(player)).toEqual({
    ...expectedOf([['hard', 'draw']]),
    badges: [easy, hard],
    badgeDetails: [reached(easy, won), { ...none, badge: medium }, reached(hard, drawn), { ...ten, progress: 1 }],
  });
});

/** The same in the plainest way. */
function expectedOf(games: readonly [Difficulty, Result][]) {
  let [hardDraws, hardDrawsInARow, bestHardDrawsInARow] = [0, 0, 0];
  for (const [difficulty, result] of games) {
    if (difficulty !== 'hard') continue;
    if (result === 'lose') hardDrawsInARow = 0;
    if (result !== 'draw') continue;
    hardDraws += 1;
    hardDrawsInARow += 1;
    bestHardDrawsInARow = Math.max(bestHardDrawsInARow, hardDrawsInARow);
  }
  return { hardDraws, hardDrawsInARow, bestHardDrawsInARow };
}

/** Adds games to the table, as if the sums had been lost. */
async function addGames(player: Visitor, from: number, games: readonly [Difficulty, Result][]): Promise<void> {
  await query(
    server,
    `INSERT INTO games (id, player_id, number, source, difficulty, result, bonus, points, finished_at)
     SELECT gen_random_uuid(), $1, $2 + at, 'verified', difficulty, result, false,
       CASE result WHEN 'win' THEN 1 WHEN 'lose' THEN -1 ELSE 0 END, now()
     FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS made (difficulty, result, at)`,
    [player.user!.id, from, games.map(([difficulty]) => difficulty), games.map(([, result]) => result)],
  );
}

test('many thousand games add up to the same when they are recounted, page by page', async () => {
  const player = await aSignedInVisitor(server);
  const games: [Difficulty, Result][] = [];
  // A page has 10,000 games, and the last one is full.
  for (const more of [10_503, 9_497]) {
    // Losses are rare, so that runs reach over the end of a page.
    const added = Array.from({ length: more }, (): [Difficulty, Result] => [
      DIFFICULTIES[randomInt(3)]!,
      randomInt(5_000) === 0 ? 'lose' : RESULTS[randomInt(2) * 2]!,
    ]);
    await addGames(player, games.length, added);
    games.push(...added);
    expect(await ttt(server, 'stats', 'rebuild', '--repair', '--reason', 'A test')).toMatchObject({ code: 0 });
    expect(await achievementsOf(player)).toMatchObject(expectedOf(games));
  }
});
