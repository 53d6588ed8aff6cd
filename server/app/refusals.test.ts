import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema, isEnumType } from 'graphql';
import { FORMS } from '../web/answers/refusals.js';
import './app.module.js';

/** The page has their sentences: the browser comes back to it with the code. */
const OF_THE_PAGE = ['access_denied', 'account_banned'];

/** The reasons in the unions of the schema, which describes them. */
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const REASONS = Object.values(schema.getTypeMap())
  .filter((type) => isEnumType(type) && type.name.endsWith('RefusalReason'))
  .flatMap((type) => (isEnumType(type) ? type.getValues().map(({ name }) => name) : []));

test('a refusal has a sentence, with which openapi.json lists it, unless the page or an enum of the schema says what it means', () => {
  const silent = [...FORMS].flatMap(([code, { sentence }]) => (sentence ? [] : code));
  expect(silent.filter((code) => !REASONS.includes(code) && !OF_THE_PAGE.includes(code))).toEqual([]);
  expect(silent).toEqual(expect.arrayContaining(OF_THE_PAGE));
});
