import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema, isEnumType } from 'graphql';
import { FORMS } from '../web/answers/refusals.js';
import './app.module.js';

/** The page has their sentences: the browser comes back to it with the code. */
const OF_THE_PAGE = ['access_denied', 'account_banned', 'provider_unavailable', 'sign_in_failed'];

/** The reasons in the unions of the schema, which describes them. */
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const REASONS = Object.values(schema.getTypeMap())
  .filter((type) => isEnumType(type) && type.name.endsWith('RefusalReason'))
  .flatMap((type) => (isEnumType(type) ? type.getValues().map(({ name }) => name) : []));

test('the closed list of docs/api.md has the code and the status of each refusal, but those of the page and of the schema', () => {
  const [, list] = /The list is closed:\n([^]*?)\n## /.exec(readFileSync('docs/api.md', 'utf8'))!;
  const documented = new Map(
    [...list!.matchAll(/^- ((?:`\w+`,\s+)+)(\d{3}): /gm)].flatMap(([, codes, status]) =>
      [...codes!.matchAll(/\w+/g)].map(([code]) => [code, Number(status)] as const),
    ),
  );
  const codes = new Map([...FORMS].map(([code, { status }]) => [code, status]));
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries([...documented.keys()].map((code) => [code, codes.get(code)])),
  );
  const others = [...codes.keys()].filter((code) => !documented.has(code));
  expect(others.filter((code) => !REASONS.includes(code) && !OF_THE_PAGE.includes(code))).toEqual([]);
});
