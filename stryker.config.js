/**
 * Mutation tests (`npm run mutation`): Stryker changes the code in small ways, and the unit tests must notice. They cover
 * the code that decides whether a game counts, the owner of a session, and the limits of a network.
 *
 * Some limits are SQL (games a minute, sign-ins a minute): test/features proves those.
 */
import jestConfig from './jest.config.js';

const SUBJECTS = [
  'game/*',
  'server/{games/tickets,counting/{day,sums}}',
  'server/auth/**/refresh-tokens',
  'server/graphql/{limits,cost}',
  'server/web/requests/{request-allowance,fair-share,network}',
];
const unit = jestConfig.projects.find(({ displayName }) => displayName === 'unit');
// Only the test beside each file: the others would cost every run their time. Without `projects: []`, Stryker adds the
// projects of jest.config.js.
const testMatch = SUBJECTS.map((subject) => `<rootDir>/${subject}.test.ts`);
const jest = { config: { ...unit, projects: [], testMatch } };

export default {
  mutate: [...SUBJECTS.map((subject) => `${subject}.ts`), '!**/*.test.ts'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest,
  coverageAnalysis: 'perTest',
  incremental: true,
  incrementalFile: 'dist/mutation/incremental.json',
  tempDirName: 'dist/mutation/sandbox',
  ignorePatterns: ['/client', '/data', '/dist', '/docs', '/test/{browser,drills,features,ops}'],
  concurrency: 2,
  reporters: ['clear-text', 'html', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false },
  htmlReporter: { fileName: 'dist/mutation/report.html' },
  thresholds: { high: 95, low: 90, break: 90 },
};
