import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { buildSchema, type ExecutionArgs, GraphQLError, parse } from 'graphql';
import { safeError } from './errors.js';
import { PageOperations } from './graphql-driver.js';

const schema = buildSchema('type Query { one: Int! none: Int! }');
const fields = schema.getQueryType()!.getFields();
fields.one!.resolve = () => 1;
fields.none!.resolve = () => null;

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
