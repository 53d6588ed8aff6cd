import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { aPlayerWithToken, blocks, environmentOf, run, start, text } from '../support/apiDocument.js';
import { aServer, query } from '../support/server.js';
import { Visitor } from '../support/visitor.js';

/** The limits of the document are the defaults. */
const DEFAULTS = { REQUESTS_PER_MINUTE: '', GAMES_PER_MINUTE: '', GAMES_PER_DAY: '' };

const server = aServer({ env: DEFAULTS });

/** Ada with four games and Grace with one, on a board without others. */
async function twoPlayers() {
  await query(server, 'TRUNCATE player_stats, player_weeks');
  const [ada, grace] = [await aPlayerWithToken(server), await aPlayerWithToken(server, { name: 'Grace' })];
  for (const result of ['win', 'lose', 'draw', 'win']) await ada.player.report(result);
  await grace.player.report('lose');
  await server.moveClock(1_000);
  return { ada, grace };
}

test('every block of the document is tested', () => {
  const here = ['js game', 'js graphql', 'js live', 'sh tags', 'sh errors', 'sh limits', 'js retry'];
  // By test/browser/security.test.ts.
  expect(blocks).toEqual([...here, 'html page']);
});

test('the example of a game plays one that counts', async () => {
  const { player, token } = await aPlayerWithToken(server, { scopes: 'games_write' });
  expect(JSON.parse(await run('js game', environmentOf(server, token)))).toMatchObject({
    game: { source: 'verified', byProgram: true },
    countsFrom: null,
  });
  const { data } = await player.graphql('{ me { games { edges { node { byProgram } } } } }');
  expect(data).toEqual({ me: { games: { edges: [{ node: { byProgram: true } }] } } });
});

test('the examples read a player, all games and only what has changed, and hear of the board and its change over a socket', async () => {
  const { ada, grace } = await twoPlayers();
  expect(await run('sh tags', environmentOf(server))).toBe('304');
  expect((await run('js graphql', environmentOf(server, ada.token))).trim().split('\n')).toEqual([
    'Ada 1 1',
    '4 games, the newest a win',
  ]);
  const live = start('js live', environmentOf(server));
  const [first] = (await once(live.child.stdout!, 'data')) as [string];
  expect(JSON.parse(first)).toEqual([
    { rank: 1, name: 'Ada', score: 1 },
    { rank: 2, name: 'Grace', score: -1 },
  ]);
  await grace.player.report();
  const [, second] = (await live).stdout.trim().split('\n');
  expect(JSON.parse(second!)).toEqual([
    { rank: 1, name: 'Ada', score: 1 },
    { rank: 2, name: 'Grace', score: 0 },
  ]);
});

test('errors have one shape for REST, and one for GraphQL', async () => {
  const [missing, wrong, graphql] = JSON.parse(
    `[${(await run('sh errors', environmentOf(server))).replaceAll('}{', '},{')}]`,
  ) as object[];
  const error = 'There is nothing at this address.';
  expect(missing).toEqual({ error, code: 'not_found' });
  expect(text).toContain(`{"error": "${error}", "code": "not_found"}`);
  expect(wrong).toEqual({ error: 'limit must be a whole number from 1 to 100.', code: 'bad_request' });
  expect(graphql).toMatchObject({
    errors: [{ extensions: { code: 'UNAUTHENTICATED', requestId: expect.any(String) } }],
  });
});

test('the limits of the document are the default ones, and each answer tells what is left', async () => {
  const { token } = await aPlayerWithToken(server);
  const [fields, answer] = (await run('sh limits', environmentOf(server, token))).split('\n');
  // A busy machine may need so long for a read that it costs a point more.
  expect(fields).toMatch(/^"token";q=1500;w=60 "token";r=14\d\d;t=\d+$/);
  for (const field of ['"token";q=1500;w=60', '"token";r=1499;t=60']) expect(text).toContain(`\`${field}\``);
  // Two for the new document, and one for the operation.
  const { extensions } = JSON.parse(answer!) as { extensions: { cost: { requested: number; left: number } } };
  expect(extensions.cost).toEqual({ requested: 3, left: expect.any(Number) });
  expect(extensions.cost.left).toBeLessThan(6_000);
});

test('a report that is sent again counts once, also after the token is spent', async () => {
  const { token } = await aPlayerWithToken(server);
  const program = Object.assign(new Visitor(server), { accessToken: token });
  const boards = Array.from({ length: 7 }, (_, at) => `b${at}: leaderboard(limit: 100) { name wins losses draws }`);
  const spend = () => program.graphql(`{ me { id } ${boards.join(' ')} }`);
  while (!(await spend()).errors);
  await server.moveClock(55_000);
  const [first, second] = (await run('js retry', environmentOf(server, token))).trim().split('\n');
  expect(JSON.parse(first!)).toMatchObject({ wins: 1, losses: 0 });
  expect(second).toBe(first);
});

test('a report after the last game of a day is not sent again', async () => {
  const { player, token } = await aPlayerWithToken(server);
  await player.report();
  await query(server, 'UPDATE player_stats SET games_that_day = 100 WHERE player_id = $1', [player.user.id]);
  expect((await run('js retry', environmentOf(server, token))).match(/"too_many_games_today"/g)).toHaveLength(2);
});
