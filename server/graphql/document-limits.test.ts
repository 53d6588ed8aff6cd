import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { maxErrors, overLimit, withinLimits } from './document-limits.js';

/** `count` pieces of text, each made from its number. */
const many = (count: number, piece: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => piece(at)).join(' ');
const refusalOf = (source: string) => overLimit(parse(source))?.message;

const inside = (open: string, core: string, close: string) => (levels: number) =>
  open.repeat(levels) + core + close.repeat(levels);
const braces = inside('{ ... ', '{ a }', '}');
const fields = inside('{ a ', '', '}');

/** Each document holds so many of one thing, and within the limits of everything else. */
const LIMITS: Readonly<Record<string, readonly [what: string, documentOf: (count: number) => string][]>> = {
  '20 operations and fragments': [
    ['operations', (n) => many(n, (at) => `query q${at} { a }`)],
    [
      'fragments',
      (n) => `{ r { ${many(n - 1, (at) => `...f${at}`)} } } ${many(n - 1, (at) => `fragment f${at} on Q { a }`)}`,
    ],
  ],
  '20 variables': [['variables', (n) => `query (${many(n, (at) => `$v${at}: Int`)}) { a }`]],
  '100 arguments and values': [
    ['arguments', (n) => `{ a(${many(n, (at) => `x${at}: $v`)}) }`],
    ['numbers', (n) => `{ a(x: [${many(n - 2, () => '1')}]) }`],
    ['strings', (n) => `{ a(x: [${many(n - 2, () => '"s"')}]) }`],
    ['enum values', (n) => `{ a(x: [${many(n - 2, () => 'e')}]) }`],
    ['lists', (n) => `{ a(x: [${many(n - 2, () => '[]')}]) }`],
    ['fields of objects', (n) => `{ a(x: {${many(n - 1, (at) => `k${at}: $v`)}}) }`],
  ],
  '20 directives': [
    ['directives', (n) => `{ a ${many(n, (at) => `@d${at}`)} }`],
    [
      'directives of spread fragments',
      (n) =>
        `{ r { ...f ...f b ${many(n % 2, () => '@d')} } } fragment f on Q { a ${many(Math.floor(n / 2), (at) => `@d${at}`)} }`,
    ],
    ['directives of an operation', (n) => `query ${many(n, (at) => `@d${at}`)} { a }`],
  ],
  '20 levels of braces': [
    ['braces', (n) => braces(n - 1)],
    ['braces of fields and fragments', (n) => inside('{ a ', braces(n - 4), '}')(3)],
    ['braces of spread fragments', (n) => `{ ...f } fragment f on Q ${braces(n - 2)}`],
  ],
  '60 fragments, counted at each definition and each spread': [
    ['inline fragments', (n) => `{ r { ${many(n, (at) => `... { a${at} }`)} } }`],
    ['spread fragments', (n) => `{ r { ${many(n, (at) => `s${at} { ...f }`)} } } fragment f on Q { a }`],
  ],
  '8 levels of fields': [
    ['levels of fields', fields],
    ['levels of fields in fragments', (n) => `{ b { ...f ... { ...f } } } fragment f on Q ${fields(n - 1)}`],
  ],
  '10 root fields': [
    ['root fields', (n) => `{ ${many(n, (at) => `a${at}`)} }`],
    ['root fields in fragments', (n) => `{ b ...f } fragment f on Q { ... { ${many(n - 1, (at) => `a${at}`)} } }`],
  ],
  '15 aliases': [
    ['aliases', (n) => `{ r { ${many(n, (at) => `x${at}: a`)} } }`],
    [
      'aliases of several operations',
      (n) => `query one { r { ${many(n - 1, (at) => `x${at}: a`)} } } query two { x: a }`,
    ],
  ],
  '250 fields, fragments included': [
    ['fields', (n) => `{ r { ${many(n - 1, (at) => `a${at}`)} } }`],
    [
      'fields of spread fragments',
      (n) =>
        `{ r { ...f } s { ${many(n - 104, (at) => `a${at}`)} } } fragment f on Q { ${many(101, (at) => `a${at}`)} }`,
    ],
  ],
  '30 repeated fields': [
    ['repeated fields', (n) => `{ r { ${many(n + 1, () => 'a')} } }`],
    ['fields repeated through fragments', (n) => `{ r { a ...f } } fragment f on Q { ... { ${many(n, () => 'a')} } }`],
    ['fields under one alias', (n) => `{ r { a ${many(15, () => 'a: b')} ${many(n - 15, () => 'a')} } }`],
  ],
};

test.each(Object.entries(LIMITS).flatMap(([limit, rows]) => rows.map((row) => [limit, ...row] as const)))(
  'allows %s: %s',
  (limit, _what, documentOf) => {
    const most = parseInt(limit);
    expect(refusalOf(documentOf(most))).toBeUndefined();
    expect(refusalOf(documentOf(most + 1))).toBe(
      `This document has more than ${limit}. Request less, or send several requests.`,
    );
  },
);

describe('what is not counted', () => {
  test('the same field in different places is not a repeat', () => {
    expect(refusalOf(`{ ${many(9, (at) => `r${at} { a b c d e }`)} }`)).toBeUndefined();
  });

  test('the same field in different operations is not a repeat', () => {
    expect(refusalOf(many(20, (at) => `query q${at} { a b c }`))).toBeUndefined();
  });

  test('each operation has its own root fields', () => {
    expect(refusalOf(many(3, (at) => `query q${at} { ${many(10, (n) => `a${n}`)} }`))).toBeUndefined();
    expect(refusalOf(`query q { ${many(11, (n) => `a${n}`)} } query p { a }`)).toContain('root fields');
  });

  test('introspection may be deep', () => {
    expect(refusalOf(inside('{ __schema ', '{ types { name } }', '}')(1))).toBeUndefined();
    expect(refusalOf(`{ __type ${inside('{ ofType ', '{ name }', '}')(12)} }`)).toBeUndefined();
    expect(refusalOf(`{ a ${inside('{ b ', '{ __typename }', '}')(7)} }`)).toBeUndefined();
    expect(refusalOf(`{ __type { name } a ${inside('{ b ', '', '}')(8)} }`)).toContain('levels of fields');
  });
});

describe('fragments', () => {
  test('are refused when no operation uses them', () => {
    expect(refusalOf('{ a } fragment f on Q { a }')).toBe('Fragment "f" is never used.');
    expect(refusalOf('{ ...f } fragment f on Q { a } fragment g on Q { a }')).toBe('Fragment "g" is never used.');
  });

  test('may be used by other fragments', () => {
    expect(refusalOf('{ ...f } fragment f on Q { ...g } fragment g on Q { a }')).toBeUndefined();
  });

  test('that go in circles or do not exist are left to validation', () => {
    expect(refusalOf('{ ...f } fragment f on Q { ...g } fragment g on Q { a ...f }')).toBeUndefined();
    expect(refusalOf('{ ...f }')).toBeUndefined();
  });

  test('that multiply each other are refused without walking all of them', () => {
    const tower = many(18, (at) => `fragment f${at} on Q { ${many(5, () => `...f${at + 1}`)} }`);
    expect(refusalOf(`{ ...f0 } ${tower} fragment f18 on Q { a }`)).toContain('more than');
  });
});

describe('the problems of a document', () => {
  const schema = buildSchema('type Query { a: Int }');
  const problems = (source: string) =>
    validate(schema, parse(source), [...specifiedRules, withinLimits], { maxErrors }).map(({ message }) => message);

  test('are the limit alone where it is over one', () => {
    const told = new Set(problems(`{ ${many(11, (at) => `b${at}`)} }`));
    expect([...told]).toEqual([expect.stringContaining('root fields'), expect.stringContaining('Validation aborted')]);
  });

  test('are those of validation otherwise, which stops after five', () => {
    expect(problems('{ a }')).toEqual([]);
    expect(problems('{ bbb }')).toEqual(['Cannot query field "bbb" on type "Query".']);
    expect(problems(`{ ${many(10, (at) => `b${at}`)} }`)).toHaveLength(6);
  });
});
