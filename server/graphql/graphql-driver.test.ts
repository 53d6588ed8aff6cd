import type { IncomingMessage } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { buildSchema, type ExecutionArgs, GraphQLError, parse } from 'graphql';
import { beginRequest } from '../web/requests/request.js';
import { safeError } from './errors.js';
import { KnownOperations, PageOperations } from './graphql-driver.js';

const schema = buildSchema('type Query { one: Int! two(plus: Int!): Int! none: Int! } type Subscription { one: Int }');
const fields = schema.getQueryType()!.getFields();
fields.one!.resolve = () => 1;
fields.two!.resolve = (_source, { plus }: { plus: number }) => 2 + plus;
fields.none!.resolve = () => null;

const KNOWN = [
  '{ one }',
  'query ($plus: Int!) { two(plus: $plus) }',
  'subscription { one }',
  '{ none }',
  '{ one } # ours',
];
const JSON_BODY = { 'content-type': 'application/json', 'content-length': '1' };

/** The parsed body of the answer, undefined where Apollo has to answer, and whether the operation was charged before Apollo answers. */
async function answer(body: object, { method = 'POST', accept = 'application/json' } = {}) {
  const operations = new KnownOperations({
    schema,
    operations: new PageOperations(new Set(['{ one } # ours', '{ none }'])),
    formatError: safeError,
    gate: {
      knownDocument: (source) => (KNOWN.includes(source) ? parse(source) : undefined),
      admit: () => Promise.resolve({}),
      complete: (result) => result,
    },
  });
  const raw = { headers: { ...JSON_BODY, accept } } as unknown as IncomingMessage;
  beginRequest(raw, '203.0.113.1');
  const reply = { raw: {}, header: () => reply } as unknown as FastifyReply;
  const request = { method, raw, headers: raw.headers, body } as FastifyRequest;
  const { body: text, charged } = await operations.answer(request, reply);
  return { answer: text === undefined ? undefined : (JSON.parse(text) as unknown), left: charged ? 1 : 0 };
}

test.each<[string, object, unknown]>([
  ['a known document', { query: '{ one }' }, { data: { one: 1 } }],
  ['variables', { query: KNOWN[1], variables: { plus: 3 } }, { data: { two: 5 } }],
  [
    'null for an absent member',
    { query: '{ one }', variables: null, operationName: null, extensions: null },
    { data: { one: 1 } },
  ],
  ['an operation of our own page', { query: '{ one } # ours' }, { data: { one: 1 } }],
])('answers %s', async (_what, body, expected) => {
  expect(await answer(body)).toEqual({ answer: expected, left: 0 });
});

test.each<[string, object, Parameters<typeof answer>[1]]>([
  ['a new document', { query: '{ two(plus: 1) }' }, {}],
  ['GET', { query: '{ one }' }, { method: 'GET' }],
  ['extensions', { query: '{ one }', extensions: {} }, {}],
  ['a list', [{ query: '{ one }' }], {}],
  ['an unknown operation', { query: '{ one }', operationName: 'Other' }, {}],
  ['a subscription', { query: 'subscription { one }' }, {}],
  ['a client that takes only HTML', { query: '{ one }' }, { accept: 'text/html' }],
])('leaves %s to Apollo, uncharged', async (_what, body, options) => {
  expect(await answer(body, options)).toEqual({ answer: undefined, left: 0 });
});

test('leaves wrong variables to Apollo, charged', async () => {
  expect(await answer({ query: KNOWN[1], variables: { plus: 'x' } })).toEqual({ answer: undefined, left: 1 });
});

test('a field without a value is one error with an id, compiled and not', async () => {
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const plain = new PageOperations(new Set());
  const compiled = new PageOperations(new Set(['{ none }']));
  const operation: ExecutionArgs = { schema, document: parse('{ none }') };
  for (const operations of [plain, compiled]) {
    const { data, errors } = await operations.execute('{ none }', operation);
    expect(data).toBeNull();
    expect(errors).toEqual([expect.any(GraphQLError)]);
    expect(safeError(errors![0]!.toJSON(), errors![0])).toMatchObject({
      message: expect.stringContaining('Something went wrong on our side.'),
      extensions: { code: 'INTERNAL_SERVER_ERROR', id: expect.any(String) },
    });
    expect(log).toHaveBeenLastCalledWith(expect.anything(), expect.stringContaining('Cannot return null for non-null'));
  }
  log.mockRestore();
});

test('compiles the operations of our own pages alone', async () => {
  const operations = new PageOperations(new Set(['{ one }']));
  const isCompiled = async (source: string) => {
    const { data } = await operations.execute(source, { schema, document: parse(source) });
    expect(data!.one).toBe(1);
    // graphql-js makes objects without a prototype.
    return Object.getPrototypeOf(data) === Object.prototype;
  };
  expect([await isCompiled('{ one }'), await isCompiled('{  one }')]).toEqual([true, false]);
});
