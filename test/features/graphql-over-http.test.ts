import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  isEnumType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
} from 'graphql';
import { serverAudits } from 'graphql-http';
import { aServer } from '../support/server.js';
import { aSignedInVisitor, type GraphQLAnswer, Visitor } from '../support/visitor.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const LEGACY = 'application/json';
const GRAPHQL_RESPONSE = 'application/graphql-response+json';

const server = aServer();

const send = (init: RequestInit, search = '') => fetch(`${server.origin}/graphql${search}`, init);
const post = (body: object, accept: string) =>
  send({ method: 'POST', headers: { ...JSON_TYPE, accept }, body: JSON.stringify(body) });

test('every audit of GraphQL over HTTP passes', async () => {
  const results = await Promise.all(serverAudits({ url: `${server.origin}/graphql` }).map(({ fn }) => fn()));
  const failed = results.flatMap((result) => (result.status === 'ok' ? [] : [`${result.name}: ${result.reason}`]));
  const passed = results.length - failed.length;
  process.stdout.write(`GraphQL over HTTP: ${passed} of ${results.length} audits pass.\n`);
  expect({ failed, passed }).toEqual({ failed: [], passed: 61 });
});

describe('The schema', () => {
  const FILE = readFileSync('schema.graphql', 'utf8');

  test('is that of schema.graphql, and a player reads it at the playground', async () => {
    const introspection = getIntrospectionQuery({ descriptions: true, specifiedByUrl: true });
    const { data, errors } = await new Visitor(server).graphql<IntrospectionQuery>(introspection);
    expect(errors).toBeUndefined();
    const served = printSchema(lexicographicSortSchema(buildClientSchema(data!)));
    expect(print(parse(served))).toBe(print(parse(FILE)));
    const opened = await send({ headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/playground/']);
  });

  test('describes every type, field, argument and enum value', () => {
    const bare: string[] = [];
    const look = (name: string, part: { description?: string | null }) => {
      if (!part.description) bare.push(name);
    };
    for (const type of Object.values(buildSchema(FILE).getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (!['Query', 'Mutation', 'Subscription'].includes(type.name)) look(type.name, type);
      if (isEnumType(type)) type.getValues().forEach((value) => look(`${type.name}.${value.name}`, value));
      if (!isObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        look(`${type.name}.${field.name}`, field);
        field.args.forEach((arg) => look(`${type.name}.${field.name}(${arg.name})`, arg));
      }
    }
    expect(bare).toEqual([]);
  });

  test('makes every refusal a `Refusal`, and has the specification of its scalar', () => {
    const refusals = [...FILE.matchAll(/^type (\w+Refused)( implements Refusal)? \{/gm)];
    expect(refusals.map(([, name, is]) => [name, Boolean(is)])).toEqual([
      ['ChallengeRefused', true],
      ['DecisionRefused', true],
      ['GameRefused', true],
      ['LinkRefused', true],
      ['NameRefused', true],
    ]);
    expect(FILE).toMatch(/scalar DateTime\s*@specifiedBy\(url: "http/);
  });
});

describe('An error of the document', () => {
  const ERRORS: [string, object, string][] = [
    ['a syntax error', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['too many aliases', { query: `{ ${alias(16)} }` }, 'GRAPHQL_VALIDATION_FAILED'],
    ['an unknown operation', { query: 'query A { __typename }', operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
    [
      'a wrong variable',
      { query: 'query ($a: Int!) { leaderboard(limit: $a) { name } }', variables: { a: 'ten' } },
      'BAD_USER_INPUT',
    ],
  ];

  test.each(ERRORS)('such as %s is 200 only for a client of the older media type', async (_what, body, code) => {
    for (const [accept, status, type] of [
      [LEGACY, 200, LEGACY],
      [`${GRAPHQL_RESPONSE}, ${LEGACY};q=0.9`, 400, GRAPHQL_RESPONSE],
      ['*/*', 400, LEGACY],
    ] as const) {
      const response = await post(body, accept);
      expect([accept, response.status]).toEqual([accept, status]);
      expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      const answer = (await response.json()) as { errors: object[]; data?: object };
      expect(answer.data).toBeUndefined();
      expect(answer.errors[0]).toMatchObject({ extensions: { code } });
    }
  });
});

describe('An operation that costs too much is rejected', () => {
  test.each([
    ['a long text', `{ ${'leaderboard { name } '.repeat(300)} }`],
    [
      'ten leaderboards',
      `{ ${Array.from({ length: 10 }, (_, i) => `a${i}: leaderboard(limit: 100) { playerId name picture score wins losses draws totalGames }`).join(' ')} }`,
    ],
  ])('%s', async (_case, query) => {
    const response = await post({ query }, GRAPHQL_RESPONSE);
    const { data, errors } = (await response.json()) as GraphQLAnswer;
    expect([response.status, data]).toEqual([400, undefined]);
    expect(errors!.map(({ extensions }) => extensions.code)).toEqual([
      expect.stringMatching(/^GRAPHQL_(PARSE|VALIDATION)_FAILED$/),
    ]);
  });
});

describe('Every error has a code and the id of its request:', () => {
  const mutation = encodeURIComponent('mutation { startGame(difficulty: easy) { token } }');

  const posted = (body: string | URLSearchParams, headers = {}): RequestInit => ({ method: 'POST', headers, body });

  test.each<[string, number, string, string, RequestInit]>([
    ['broken JSON', 400, 'BAD_REQUEST', '', posted('{', JSON_TYPE)],
    ['an empty body', 400, 'BAD_REQUEST', '', posted('', JSON_TYPE)],
    ['a batch', 400, 'BAD_REQUEST', '', posted('[{"query":"{ __typename }"}]', JSON_TYPE)],
    ['a subscription', 400, 'BAD_REQUEST', '', posted('{"query":"subscription { leaderboard { name } }"}', JSON_TYPE)],
    ['a hash of another text', 400, 'BAD_REQUEST', `?query={a}&extensions=${persisted('0')}`, {}],
    ['no query', 400, 'BAD_REQUEST', '', {}],
    ['two queries', 400, 'BAD_REQUEST', '?query={a}&query={b}', {}],
    ['a syntax error', 400, 'GRAPHQL_PARSE_FAILED', '?query={', {}],
    ['no token', 200, 'UNAUTHENTICATED', '?query={me{id}}', {}],
    ['an unknown hash', 200, 'PERSISTED_QUERY_NOT_FOUND', `?extensions=${persisted('a')}`, {}],
    ['a mutation by GET', 405, 'BAD_REQUEST', `?query=${mutation}`, {}],
    ['another method', 405, 'METHOD_NOT_ALLOWED', '', { method: 'PUT' }],
    ['another method at a longer path', 405, 'METHOD_NOT_ALLOWED', '/', { method: 'DELETE' }],
    ['a body over 16 KiB', 413, 'PAYLOAD_TOO_LARGE', '', posted(`{"query":"${'x'.repeat(17_000)}"}`, JSON_TYPE)],
    ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', '', posted(new URLSearchParams({ query: '{ __typename }' }))],
    [
      'an unknown compression',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      '',
      posted('{}', { ...JSON_TYPE, 'content-encoding': 'x' }),
    ],
  ])('%s (%i %s)', async (_what, status, code, search, init) => {
    for (const accept of [GRAPHQL_RESPONSE, '*/*']) {
      const response = await send({ ...init, headers: { ...init.headers, accept } }, search);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe(`${accept === '*/*' ? LEGACY : accept}; charset=utf-8`);
      const requestId = response.headers.get('x-request-id');
      const { errors } = (await response.json()) as { errors: object[] };
      expect(errors).toEqual([
        expect.objectContaining({ message: expect.any(String), extensions: { code, requestId } }),
      ]);
    }
  });

  test('and says what to do instead', async () => {
    const form = await send({ method: 'POST', body: new URLSearchParams({ query: '{ __typename }' }) });
    expect(await form.json()).toMatchObject({
      errors: [{ message: 'Send JSON with the header Content-Type: application/json.' }],
    });
    const put = await send({ method: 'PUT' });
    expect(put.headers.get('allow')).toBe('GET, POST');
    expect(await put.json()).toMatchObject({ errors: [{ message: 'This address answers GET, POST only.' }] });
  });
});

describe('A page of another site', () => {
  test('reads nothing of the player by GET, even if the browser sends every cookie', async () => {
    const player = await aSignedInVisitor(server);
    const headers = { cookie: await player.sessionCookie(), accept: LEGACY };
    expect(headers.cookie).toMatch(/^refresh=/);
    const response = await send({ headers }, '?query={me{id}}');
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ])('runs no mutation by a POST of the type %j, even with a token', async (type) => {
    const player = await aSignedInVisitor(server);
    const query = 'mutation { createToken(name: "forged", scopes: [stats_read], days: 7) { secret } }';
    const body = JSON.stringify({ query });
    const response = await player.api('/graphql', {
      method: 'POST',
      headers: { ...(type ? { 'content-type': type } : {}), 'apollo-require-preflight': '1' },
      body: type ? body : new Blob([body]),
    });
    expect(response.status).toBe(415);
    expect((await player.graphql('{ myTokens { name } }')).data).toEqual({ myTokens: [] });
    expect((await player.graphql(query)).errors).toBeUndefined();
    expect((await player.graphql('{ myTokens { name } }')).data).toEqual({ myTokens: [{ name: 'forged' }] });
  });
});

function alias(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}: __typename`).join(' ');
}

function persisted(sha256Hash: string): string {
  return encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash } }));
}
