import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { follow } from '../support/live.js';
import { playGame } from '../support/play.js';
import { aServer, emptyLeaderboard } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const server = aServer();

test('REST answers carry a tag of their content, and the same content is not sent again', async () => {
  const player = await aSignedInVisitor(server, { name: 'Tagged' });
  await player.report();
  const tag = (await fetch(`${server.origin}/api/leaderboard`)).headers.get('etag')!;
  const ask = async () => {
    // fetch() would add `Cache-Control: no-cache` to a condition.
    const [response] = (await once(
      get(`${server.origin}/api/leaderboard`, { headers: { 'if-none-match': tag } }),
      'response',
    )) as [IncomingMessage];
    response.resume();
    return response;
  };
  await server.moveClock(1_000);
  expect((await ask()).statusCode).toBe(304);
  await player.report();
  const { statusCode, headers } = await ask();
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(headers['cache-control']).toBe('no-cache');
  expect(headers.etag).not.toBe(tag);
});

test('live boards, of all time and of the week, come at once and after each change', async () => {
  await emptyLeaderboard(server);
  const player = await aSignedInVisitor(server, { name: 'Watched' });
  const boards = ['all', 'week'].map((period) =>
    follow(server, `subscription { leaderboard(period: ${period}) { name score rank } }`),
  );
  const next = () => Promise.all(boards.map((board) => board.next()));
  const none = { data: { leaderboard: [] } };
  expect(await next()).toEqual([none, none]);
  await playGame(server, player, { result: 'win' });
  const won = { data: { leaderboard: [{ name: 'Watched', score: 1, rank: 1 }] } };
  expect(await next()).toEqual([won, won]);
  await player.graphql('mutation { deleteAccount }');
  expect(await next()).toEqual([none, none]);
  for (const board of boards) await board.end();
});

test.each([
  ['a query', '{ leaderboard { name } }', 'Only subscriptions run over a socket'],
  ['a mutation', 'mutation { startGame(difficulty: easy) { token } }', 'Only subscriptions run over a socket'],
  ['an unknown field', 'subscription { everything }', 'Cannot query field'],
])('a socket rejects %s with a message', async (_case, query, sentence) => {
  const live = follow(server, query);
  await expect(live.next()).rejects.toEqual([expect.objectContaining({ message: expect.stringContaining(sentence) })]);
  await live.end();
});

const [first, second] = ['A', 'B'].map((name) => `subscription ${name} { leaderboard { name } }`);
test.each([
  ['an empty name', first!, ''],
  ['an unknown name', first!, 'B'],
  ['no name for two operations', `${first} ${second}`, undefined],
])('a socket finds no operation by %s, as POST does', async (_case, query, operationName) => {
  const refusal = [{ extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }];
  const live = follow(server, query, operationName);
  await expect(live.next()).rejects.toMatchObject(refusal);
  await live.end();
  const posted = await new Visitor(server).postJson('/graphql', { query, operationName });
  expect(await posted.json()).toMatchObject({ errors: refusal });
});
