import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const lines = (count: number) => 'void 0;\n'.repeat(count);
const withFunction = (count: number) => `export function a() {\n${lines(count - 2)}}\n`;
const withConstructor = (parameters: string) => `export class A {\n  constructor(${parameters}) {}\n}\n`;

/** [a title, a file, its source, the rules that refuse it] */
const CASES: [string, string, string, string[]][] = [
  ['a file of 300 lines', 'scripts/a.js', lines(300), []],
  ['a file of 301 lines', 'scripts/a.js', lines(301), ['max-lines']],
  ['a function of 60 lines', 'benchmark/a.js', withFunction(60), []],
  ['a function of 61 lines', 'benchmark/a.js', withFunction(61), ['max-lines-per-function']],
  ['a constructor with 5 parameters', 'game/a.ts', withConstructor('a, b, c, d, e'), []],
  [
    'a constructor with 6 parameters',
    'game/a.ts',
    withConstructor('a, b, c, d, e, f'),
    ['sizes/constructor-parameters'],
  ],
  ['a test of 301 lines', 'game/a.test.ts', lines(301), []],
];

/** One process lints all, because Jest's module loader cannot load ESLint's. */
test('lint limits the sizes of files, functions and constructors', () => {
  const program = `
    import { ESLint } from 'eslint';
    const eslint = new ESLint({ ruleFilter: ({ ruleId }) => /^max-|^sizes/.test(ruleId) });
    const answers = [];
    for (const [, filePath, source] of JSON.parse(process.argv[1])) {
      const [{ messages }] = await eslint.lintText(source, { filePath });
      answers.push(messages.map(({ ruleId }) => ruleId));
    }
    console.log(JSON.stringify(answers));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(CASES)]);

  const found = JSON.parse(said.toString()) as string[][];
  expect(CASES.map(([title], at) => [title, found[at]])).toEqual(CASES.map(([title, , , rules]) => [title, rules]));
}, 300_000);
