import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  buildClientSchema,
  getIntrospectionQuery,
  isEnumType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
} from 'graphql';
import { type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, type GraphQLAnswer } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

async function post(body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${server.origin}/graphql`, { method: 'POST', headers, body: sent });
  return { status: response.status, answer: (await response.json()) as GraphQLAnswer };
}

describe('the schema', () => {
  test('equals schema.graphql', async () => {
    const { answer } = await post({ query: getIntrospectionQuery({ descriptions: true, specifiedByUrl: true }) });
    const served = printSchema(lexicographicSortSchema(buildClientSchema(answer.data as never)));
    expect(print(parse(served))).toBe(print(parse(readFileSync('schema.graphql', 'utf8'))));
  });

  test('describes every type, field, argument and enum value', async () => {
    const { answer } = await post({ query: getIntrospectionQuery({ descriptions: true }) });
    const bare: string[] = [];
    const look = (name: string, part: { description?: string | null }) => {
      if (!part.description) bare.push(name);
    };
    for (const type of Object.values(buildClientSchema(answer.data as never).getTypeMap())) {
      if (type.name.startsWith('__') || ['Query', 'Mutation', 'Subscription'].includes(type.name)) continue;
      look(type.name, type);
    }
    for (const type of Object.values(buildClientSchema(answer.data as never).getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (isEnumType(type)) type.getValues().forEach((value) => look(`${type.name}.${value.name}`, value));
      if (!isObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        look(`${type.name}.${field.name}`, field);
        field.args.forEach((arg) => look(`${type.name}.${field.name}(${arg.name})`, arg));
      }
    }
    expect(bare).toEqual([]);
  });
});

describe('a query', () => {
  test('returns the signed-in player and their stats', async () => {
    const player = await aSignedInVisitor(server, { name: 'Ada Lovelace' });
    const { data } = await player.graphql('{ me { id name email picture stats { playerId score } } }');
    const { id, email, picture } = player.user;
    const stats = { playerId: id, score: 0 };
    expect(data).toEqual({ me: { id, name: 'Ada Lovelace', email, picture, stats } });
  });

  test("of a player's data without a token is UNAUTHENTICATED, of public data is answered", async () => {
    const { answer } = await post({ query: '{ leaderboard { name } }' });
    expect(answer.errors).toBeUndefined();
    for (const field of ['me { id }', 'me { stats { score } }']) {
      const { answer } = await post({ query: `{ ${field} }` });
      expect(answer.errors?.[0]).toMatchObject({ message: 'Sign in first.', extensions: { code: 'UNAUTHENTICATED' } });
    }
  });

  test('of the leaderboard rejects a limit out of bounds', async () => {
    for (const limit of [0, -1, 101, 2 ** 31 - 1]) {
      const { answer } = await post({ query: `{ leaderboard(limit: ${limit}) { name } }` });
      expect(answer.errors?.[0]).toMatchObject({
        message: 'limit must be a whole number from 1 to 100',
        extensions: { code: 'BAD_USER_INPUT' },
      });
    }
  });
});

describe('an operation that costs too much is rejected', () => {
  const name = 'leaderboard { name }';
  test.each([
    ['16 aliases', `{ leaderboard { ${Array.from({ length: 16 }, (_, i) => `a${i}: name`).join(' ')} } }`],
    [
      'fragments that double twenty times',
      `{ ...f0 } ${Array.from({ length: 20 }, (_, i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`).join(' ')}
       fragment f20 on Query { ${name} }`,
    ],
    ['a long text', `{ ${'leaderboard { name } '.repeat(300)} }`],
    ['a fragment that is not used', `{ __typename } fragment f on Query { ${`${name} `.repeat(200)} }`],
    [
      'ten leaderboards',
      `{ ${Array.from({ length: 10 }, (_, i) => `a${i}: leaderboard(limit: 100) { playerId name picture score wins losses draws totalGames }`).join(' ')} }`,
    ],
    [
      'two introspections of everything',
      `{ a: __schema { ...s } b: __schema { ...s } } fragment s on __Schema { types { fields { args { name description type { name ofType { name } } } type { name fields { name description args { name } type { name } } } } } }`,
    ],
    [
      'a circle of introspection',
      `{ __schema { types ${'{ fields { type '.repeat(10)} { name } ${'} }'.repeat(10)} } }`,
    ],
  ])('%s', async (_case, query) => {
    const { status, answer } = await post({ query });
    expect(status).toBe(400);
    expect(answer.errors?.[0]?.message).toEqual(expect.any(String));
    expect(answer.errors?.[0]?.extensions.code).toMatch(/^GRAPHQL_(PARSE|VALIDATION)_FAILED$/);
    expect(answer.data).toBeUndefined();
  });

  test('but the introspection of the playground is not', async () => {
    const { status, answer } = await post({ query: getIntrospectionQuery() });
    expect({ status, errors: answer.errors }).toEqual({ status: 200, errors: undefined });
  });
});

test('a browser that opens /graphql is redirected to the playground', async () => {
  const response = await fetch(`${server.origin}/graphql`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/playground/']);
});
