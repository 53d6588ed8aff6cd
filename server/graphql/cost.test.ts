import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import {
  type DocumentNode,
  execute,
  getIntrospectionQuery,
  getNullableType,
  getOperationAST,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { limitedList, readingLimitedList } from '../limits/field.js';
import { INTROSPECTION, MAX_VALUES, pointsFor, valuesOf } from './cost.js';

const files = (readdirSync('server', { recursive: true }) as string[]).filter((file) => file.endsWith('.resolver.ts'));
const resolvers: (() => void)[] = [];
// One after the other: Jest cannot link modules of two imports at once.
for (const file of files)
  resolvers.push(...Object.values((await import(join('..', file.replace(/ts$/, 'js')))) as Record<string, () => void>));
const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
const schema = await app.get(GraphQLSchemaFactory).create(resolvers);
await app.close();

const FIELDS = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })));

const DESCRIPTION = `
  fields { name args { name } } enumValues { name } inputFields { name } interfaces { name } possibleTypes { name }
  ofType { name }`;

function costOf(source: string, variables?: Record<string, unknown>): number {
  const document: DocumentNode = parse(source);
  expect(validate(schema, document)).toEqual([]);
  return valuesOf({ schema, document, operation: getOperationAST(document)!, variables });
}

test.each([
  ['a plain field', '{ __typename }', 1],
  ['a root field with its selections', '{ me { id name } }', 63],
  ['aliased fields', '{ me { a: id b: id } }', 33],
  ['a list without a limit by its default', '{ leaderboard { name } }', 51],
  ['a list with a limit', '{ leaderboard(limit: 100) { name } }', 231],
  ['a connection by its default', '{ me { games { edges { node { id } } pageInfo { endCursor } } } }', 182],
  [
    'a connection with a limit',
    '{ me { games(first: 50) { edges { cursor ...a } } } } fragment a on GameEdge { node { id } }',
    312,
  ],
  ['all of a connection by its limit', '{ me { games(first: 50) { pageInfo { endCursor } } } }', 212],
  ['a nested list', '{ me { games(first: 50) { edges { node { moves { square } } } } } }', 1162],
  ['a read below the root', '{ player(id: "") { stats { score } } }', 63],
  ['the stats of the player', '{ me { stats { score } } }', 63],
  ['fragments wherever they are spread', '{ ...a ...a } fragment a on Query { me { ... on Me { id } } }', 64],
  [
    'the dearer member of a union',
    'mutation { finishGame(ticket: "", squares: []) { ... on GameCounted { stats { score } } ... on GameRefused { reason } } }',
    33,
  ],
  ['an operation with only the name of its type, in a fragment', '{ ... { __typename } }', 1],
  ['the sessions of a player, of which there are a hundred at most', '{ mySessions { id } }', 231],
  ['the sessions that are left', 'mutation { endOtherSessions { id } }', 231],
  ['the sessions that are left after one', 'mutation { endSession(id: "") { id } }', 231],
  [
    'the neighbours of a player, of which there are ten at most',
    '{ me { standing { neighbours { entries { rank } } } } }',
    116,
  ],
  ['the live top ten', 'subscription { leaderboard { name } }', 21],
  ['the directives of the schema', '{ __schema { directives { name locations args { name } } } }', 98],
  ['the description of a type', `{ __type(name: "Query") { ${DESCRIPTION} } }`, 52.8],
])('counts %s', (_what, source, values) => {
  expect(costOf(source)).toBeCloseTo(values, 10);
});

test('counts all types of the schema', () => {
  expect(costOf('{ __schema { types { name } } }')).toBe(32 + 2 * Object.keys(schema.getTypeMap()).length);
});

test.each([
  [0, 1],
  [149, 1],
  [150, 2],
  [1_000, 10],
])('%d values cost %d points', (values, points) => {
  expect(pointsFor(values)).toBe(points);
});

test('counts a list by a variable', () => {
  const source =
    'query ($n: Int! = 10, $m: Int) { leaderboard(limit: $n) { name } me { games(first: $m) { edges { node { id } } } } }';
  const costs = [{ n: 100, m: 1 }, { n: 100, m: 50 }, { m: 50 }, {}].map((variables) => costOf(source, variables));
  expect(costs).toEqual([297, 493, 313, 193]);
});

test('counts nothing of what a variable leaves out', () => {
  const source = 'query ($a: Boolean!) { me { id name @skip(if: $a) } }';
  expect([true, false].map((a) => costOf(source, { a }))).toEqual([32, 63]);
});

test.each([[-5], [0], [101]])('an invalid limit of %j costs no list', (n) => {
  expect(costOf('query ($n: Int!) { leaderboard(limit: $n) { name } }', { n })).toBe(33);
});

test('takes a hundred values of variables', () => {
  const source = 'mutation ($s: [Int!]!) { finishGame(ticket: "", squares: $s) { __typename } }';
  expect(() => costOf(source, { s: Array(99).fill(1) })).not.toThrow();
});

test.each([
  ['the query of tools', getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, oneOf: true })],
  ['names', '{ __schema { types { name } } }'],
  ['fields of fields', '{ __schema { types { fields { type { fields { name } } } } } }'],
  ['arguments', '{ __schema { types { fields { args { name type { name ofType { name } } } } } } }'],
  ['values', '{ __schema { types { enumValues { name description } } } }'],
  ['directives', '{ __schema { directives { name locations args { name } } } }'],
])('estimates the cost of an introspection: %s', async (_what, source) => {
  const { data } = await execute({ schema, document: parse(source) });
  const actual = valuesIn(data);
  const estimate = costOf(source);
  expect(estimate).toBeGreaterThan(actual / 2);
  expect(estimate).toBeLessThan(actual * 4);
});

test('allows the introspection of tools, but not one that aliases multiply', () => {
  expect(costOf(getIntrospectionQuery({ descriptions: true }))).toBeLessThan(MAX_VALUES);
  const five = (field: (at: number) => string) => Array.from({ length: 5 }, (_none, at) => field(at)).join(' ');
  const tower = five(
    (a) => `a${a}: types { ${five((b) => `b${b}: fields { ${five((c) => `c${c}: type { name }`)} }`)} }`,
  );
  expect(costOf(`{ __schema { ${tower} } }`)).toBeGreaterThan(MAX_VALUES);
});

function valuesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + valuesIn(entry), 1);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + valuesIn(inner), 1);
}

test('every list says its length', () => {
  const silent = FIELDS.filter(
    ({ name, field: { type, extensions } }) =>
      isListType(getNullableType(type)) &&
      // A connection counts its edges.
      !name.endsWith('Connection.edges') &&
      !(name in INTROSPECTION) &&
      typeof extensions.complexity !== 'function',
  );
  expect(silent.map(({ name }) => name)).toEqual(['__Schema.types']);
});

test('every field whose client chooses a length counts it', () => {
  const counted = FIELDS.filter(({ field }) =>
    [limitedList, readingLimitedList].includes(field.extensions.complexity as never),
  );
  const lengths = ['limit', 'first', 'last'];
  const chosen = FIELDS.filter(({ field: { args } }) => args.some(({ name }) => lengths.includes(name)));
  expect(counted).toEqual(chosen);
});

test('every resolver below the root says what its field costs', () => {
  const sources = files.map((file) => readFileSync(join('server', file), 'utf8'));
  const resolved = sources.flatMap((source) => [...source.matchAll(/@ResolveField\(.*?\n {2}(?:async )?\w+\(/gs)]);
  expect(resolved.length).toBeGreaterThan(15);
  expect(resolved.map(([text]) => text)).toEqual(resolved.map(() => expect.stringMatching(/complexity: reading/)));
});

test('null is no value of an argument with a default', () => {
  const nullable = FIELDS.flatMap(({ name, field: { args } }) =>
    args
      .filter(({ type, defaultValue }) => defaultValue !== undefined && !isNonNullType(type))
      .map((argument) => `${name}(${argument.name})`),
  );
  expect(nullable.filter((name) => !name.startsWith('__'))).toEqual([]);
});
