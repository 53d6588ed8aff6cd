import { describe, expect, test } from '@jest/globals';
import { clientSources, crossings } from './fragments.js';

const STATS = { path: 'stats/stats.graphql', text: 'fragment StatsRow on PlayerStats { score } query MyStats { a }' };
const SHARED = { path: 'graphql/fragments.graphql', text: 'fragment Row on PlayerStats { score }' };

const generated = (path: string, names: string) => ({
  path,
  text: `import { ${names} } from '../graphql/generated.js';`,
});

const play = (text: string) => ({ path: 'play/a.ts', text });

describe('refuses what crosses a feature', () => {
  test.each([
    ['a fragment of another feature', { path: 'play/a.graphql', text: 'query A { a { ...StatsRow } }' }],
    ['a nested fragment of another feature', { path: 'play/a.graphql', text: 'query A { a { b { ...StatsRow } } }' }],
    ['a document of another feature', generated('play/a.ts', 'MyStatsDocument')],
    ['the type of a document of another feature', generated('play/a.tsx', 'type MyStatsQuery')],
    ['the variables of a document of another feature', generated('play/a.ts', 'MyStatsQueryVariables')],
    ['the type of a fragment of another feature', generated('play/deep/a.ts', 'type StatsRowFragment')],
    ['one document among other imports', generated('history/a.ts', 'RefusalReason, MyStatsDocument')],
    ['a renamed document', generated('play/a.ts', 'MyStatsDocument as D')],
    ['a document beside a default import', play(`import d, { MyStatsDocument } from '../graphql/generated.js';`)],
    ['an export of a document', play(`export { MyStatsDocument as D } from '../graphql/generated.js';`)],
    ['a document from its module', play(`import { MyStatsDocument } from '../graphql/generated/stats.js';`)],
    ['an import() type', play(`type A = import('../graphql/generated.js').MyStatsQuery;`)],
    ['a document in double quotes', play('import { MyStatsDocument } from "../graphql/generated.js";')],
  ])('%s', (_title, source) => {
    expect(crossings([STATS, SHARED, source])).toEqual([expect.stringContaining('put what two features select into')]);
  });
});

describe('refuses an import of everything', () => {
  test.each([
    ['a namespace', play(`import * as g from '../graphql/generated.js';`)],
    ['an export of all names', play(`export * from '../graphql/generated.js';`)],
    ['a dynamic import', play(`void import('../graphql/generated.js');`)],
    ['a typeof import()', play(`type A = typeof import('../graphql/generated.js');`)],
    ['import = require()', play(`import g = require('../graphql/generated.js');`)],
  ])('%s', (_title, source) => {
    expect(crossings([STATS, SHARED, source])).toEqual([
      'client/play/a.ts imports all of generated.ts: import single names.',
    ]);
  });
});

describe('allows', () => {
  test.each([
    ['a fragment of its own', { path: 'stats/b.graphql', text: 'query B { a { ...StatsRow } }' }],
    ['a shared fragment', { path: 'play/a.graphql', text: 'query A { a { ...Row } }' }],
    ['a document of its own', generated('stats/useStats.ts', 'MyStatsDocument, type MyStatsQuery')],
    ['the type of a shared fragment', generated('play/a.ts', 'type RowFragment')],
    ['a type of the schema', generated('play/a.ts', 'type Difficulty')],
  ])('%s', (_title, source) => {
    expect(crossings([STATS, SHARED, source])).toEqual([]);
  });
});

test('no document of the page crosses a feature', () => {
  const sources = clientSources();
  expect(sources.length).toBeGreaterThan(50);
  expect(crossings(sources)).toEqual([]);
});
