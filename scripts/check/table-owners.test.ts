import { expect, test } from '@jest/globals';
import { OWNERS, problemsOf, serverSources } from './table-owners.js';

const ENTITY = {
  path: 'server/challenge/challenge-day.entity.ts',
  text: "@Entity('challenge_days')\nexport class ChallengeDay {}",
};
/** Each owner names its tables. */
const owners = Object.entries(OWNERS).map(([owner, tables]) => ({
  path: `${owner}tables.ts`,
  text: tables.map((table) => `'SELECT 1 FROM ${table}'`).join('\n'),
}));

const problemsWith = (path: string, text: string, allowed = [] as Parameters<typeof problemsOf>[1]) =>
  problemsOf([...owners, ENTITY, { path, text }], allowed);

test.each([
  ['FROM', "'SELECT day FROM challenge_attempts'", 'challenge_attempts'],
  ['FROM with several tables', "'SELECT 1 FROM unnest AS u, challenge_days d'", 'challenge_days'],
  ['JOIN', '`SELECT 1 FROM own JOIN challenge_attempts a ON true`', 'challenge_attempts'],
  ['INSERT', "'INSERT INTO challenge_days (day) VALUES ($1)'", 'challenge_days'],
  ['UPDATE', "'UPDATE challenge_attempts SET closed = true'", 'challenge_attempts'],
  ['DELETE with USING', "'DELETE FROM own USING challenge_days WHERE true'", 'challenge_days'],
  ['LOCK TABLE', "'LOCK TABLE challenge_days IN SHARE MODE'", 'challenge_days'],
  ['a schema and quotes', '\'TRUNCATE public."challenge_days"\'', 'challenge_days'],
  ['to_regclass', "`SELECT to_regclass('challenge_days')`", 'challenge_days'],
  ['regclass', "`SELECT 'public.challenge_days'::regclass`", 'challenge_days'],
  ['a quoted name', "['challenge_days']", 'challenge_days'],
  ['a name for a statement', "const table = 'games';\nquery(`DELETE FROM ${table}`)", 'games'],
])('reports a table of another folder: %s', (_title, text, table) => {
  expect(problemsWith('server/account/a.ts', text)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^server/account/a.ts:1 names the table ${table}, which belongs to server/\\w+/: call a function there.$`,
      ),
    ),
  ]);
});

test.each([
  ['an import', "import type { ChallengeDay } from '../challenge/challenge-day.entity.js';"],
  ['an export', "export { ChallengeDay } from '../challenge/challenge-day.entity.js';"],
  ['a dynamic import', "const entity = await import('../challenge/challenge-day.entity.js');"],
  ['an import() type', "type Day = import('../challenge/challenge-day.entity.js').ChallengeDay;"],
])('reports an entity of another folder, with its line: %s', (_title, statement) => {
  const text = `\n${statement}`;
  expect(problemsWith('server/account/a.ts', text)).toEqual([
    'server/account/a.ts:2 imports the entity of challenge_days, which belongs to server/challenge/: call a function there.',
  ]);
});

test.each([
  ['the owner', 'server/challenge/a.ts', "'SELECT 1 FROM challenge_days'"],
  ['the owner importing its entity', 'server/challenge/a.ts', "import { A } from './challenge-day.entity.js';"],
  ['a comment', 'server/account/a.ts', "/* 'SELECT 1 FROM challenge_days' */ // 'SELECT 1 FROM challenge_days'"],
  ['a sentence', 'server/account/a.ts', "'Takes a game from games, and updates sessions.'"],
  ['a common word', 'server/account/a.ts', "'games'"],
  ['a name that begins like a table', 'server/account/a.ts', "'SELECT 1 FROM challenge_days_of_a_year'"],
])('allows %s', (_title, path, text) => {
  expect(problemsWith(path, text)).toEqual([]);
});

test('allows an exception, and reports one that is not needed any more', () => {
  const text = "'SELECT 1 FROM challenge_days'";
  const because = 'A reason.';
  const tables = ['challenge_days'];
  expect(problemsWith('server/account/a.ts', text, [{ from: 'server/account/a.ts', tables, because }])).toEqual([]);
  expect(problemsWith('server/account/a.ts', text, [{ from: 'server/account/', tables, because }])).toEqual([]);
  expect(
    problemsWith('server/account/a.ts', text, [{ from: 'server/account/', tables: [...tables, 'games'], because }]),
  ).toEqual(['server/account/ does not use games any more: remove it from ALLOWED.']);
});

test('reports a table that nobody uses', () => {
  const [first, ...others] = owners;
  const problems = problemsOf([{ path: first!.path, text: '' }, ...others], []);
  expect(problems).toContain('Nobody uses merged_players any more: remove it from OWNERS.');
});

test('each table of the server has one owner', () => {
  expect(problemsOf(serverSources())).toEqual([]);
});
