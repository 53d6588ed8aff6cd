import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { aServer } from '../../support/server.js';
import { aSignedInVisitor, type GraphQLAnswer } from '../../support/visitor.js';

type Errors = GraphQLAnswer['errors'];
type Variables = Readonly<Record<string, unknown>>;

const server = aServer();

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

async function errorsOf(answer: Promise<Response>): Promise<Errors> {
  return ((await (await answer).json()) as GraphQLAnswer).errors;
}

const post = (body: object) => errorsOf(fetch(`${server.origin}/graphql`, { ...POST, body: JSON.stringify(body) }));

function get(query: string, variables: Variables): Promise<Errors> {
  const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  return errorsOf(fetch(`${server.origin}/graphql?${search.toString()}`));
}

async function persisted(query: string, variables: Variables): Promise<Errors> {
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  await post({ query, variables, extensions });
  // A refused operation is not kept.
  return post({ query, variables, extensions });
}

async function socket(query: string, variables: Variables): Promise<Errors> {
  const client = new WebSocket(`${server.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(client, 'open');
  client.send('{"type":"connection_init"}');
  await once(client, 'message');
  const payload = { query: query.replace(/^query/, 'subscription'), variables };
  client.send(JSON.stringify({ type: 'subscribe', id: '1', payload }));
  const [message] = (await once(client, 'message')) as [Buffer];
  client.terminate();
  const { type, payload: errors } = JSON.parse(String(message)) as { type: string; payload: Errors };
  expect(type).toBe('error');
  return errors;
}

const WAYS: readonly [string, (query: string, variables: Variables) => Promise<Errors>][] = [
  ['by POST', (query, variables) => post({ query, variables })],
  ['by GET', get],
  ['by its hash', persisted],
  ['over a socket', socket],
];

const CASES: readonly [string, string, Variables][] = [
  ['an unknown value', 'query ($p: LeaderboardPeriod!) { leaderboard(period: $p) { name } }', { p: 'month' }],
  ['null for a default', 'query ($p: LeaderboardPeriod = all) { leaderboard(period: $p) { name } }', { p: null }],
  ['null for a condition', 'query ($a: Boolean = true) { leaderboard { name rank @skip(if: $a) } }', { a: null }],
  [
    'null for the condition of a fragment',
    'query ($a: Boolean = true) { leaderboard { ...F @include(if: $a) } } fragment F on LeaderboardEntry { name }',
    { a: null },
  ],
  [
    'null for a condition in a fragment of a fragment',
    'query ($a: Boolean = false) { leaderboard { ...F } } fragment F on LeaderboardEntry { ... { name @skip(if: $a) } }',
    { a: null },
  ],
  ['too many values', 'query ($p: LeaderboardPeriod!) { leaderboard(period: $p) { name } }', { p: Array(101).fill(1) }],
  [
    'deep values',
    'query { leaderboard { name } }',
    { a: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) as unknown },
  ],
  ['nothing', 'query ($p: LeaderboardPeriod!) { leaderboard(period: $p) { name } }', {}],
];

describe.each(WAYS)('Wrong input %s is BAD_USER_INPUT, and no error of the server:', (_way, ask) => {
  test.each(CASES)('%s', async (_what, query, variables) => {
    const errors = await ask(query, variables);
    expect(errors).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'BAD_USER_INPUT' }) as unknown }),
    ]);
    expect(server.log()).not.toMatch(/"level":[56]0/);
  });
});

test.each([
  ['{ __schema @include(if: $a) { types { name } } }', 'Boolean = true', null],
  ['{ leaderboard(limit: $a) { name } }', 'Int = 10', null],
  ['{ me { games(first: $a) { pageInfo { hasNextPage } } } }', 'Int = 20', null],
  ['{ me { standing { neighbours(before: $a) { entries { name } } } } }', 'Int = 1', null],
  ['{ moderatedPlayers(list: $a) { pageInfo { hasNextPage } } }', 'PlayerList = all', null],
  ['{ pendingLink(code: $a) { name } }', 'String = "x"', null],
  ['{ finishGame(ticket: "", squares: $a) { __typename } }', '[Int!] = [0]', null],
  ['{ finishGame(ticket: "", squares: $a) { __typename } }', '[Int!]!', [0, null]],
  ['{ finishGame(ticket: "", squares: [0, $a]) { __typename } }', 'Int = 1', null],
])('%s with $a: %s = %j is BAD_USER_INPUT', async (document, type, a) => {
  const player = await aSignedInVisitor(server);
  const { errors } = await player.graphql(
    `${document.includes('finishGame') ? 'mutation' : 'query'} ($a: ${type}) ${document}`,
    { a },
  );
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(server.log()).not.toMatch(/"level":[56]0/);
});

test.each([51, 5_250])('%i wrong squares are BAD_USER_INPUT, and pay for their bytes', async (count) => {
  const query = 'mutation ($s: [Int!]!) { finishGame(ticket: "", squares: $s) { __typename } }';
  const player = await aSignedInVisitor(server);
  const response = await player.postJson('/graphql', { query, variables: { s: Array(count).fill('') } });
  const { errors, extensions } = (await response.json()) as GraphQLAnswer & {
    extensions: { cost: { requested: number } };
  };
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(extensions.cost.requested).toBeGreaterThan(Math.floor((3 * count) / 2_000));
  expect(server.log()).not.toMatch(/"level":[56]0/);
});

describe.each(WAYS)(
  'A directive at the root of a subscription %s is refused, and no error of the server:',
  (_way, ask) => {
    test.each([
      ['on the field', 'subscription { leaderboard @skip(if: true) { name } }'],
      ['with a variable', 'subscription ($s: Boolean = true) { leaderboard @include(if: $s) { name } }'],
      [
        'in a fragment',
        'subscription ($s: Boolean!) { ...a } fragment a on Subscription { leaderboard @skip(if: $s) { name } }',
      ],
      [
        'beside a query',
        'query a { leaderboard { name } } subscription b ($s: Boolean!) { ... @skip(if: $s) { leaderboard { name } } }',
      ],
    ])('%s', async (_what, query) => {
      const [error] = (await ask(query, { s: true }))!;
      expect(error).toMatchObject({
        message: 'The root field of a subscription takes no directive.',
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
      expect(server.log()).not.toMatch(/"level":[56]0|Internal error/);
    });
  },
);
