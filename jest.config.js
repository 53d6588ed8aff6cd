/**
 * Jest loads the tests as ECMAScript modules (with the Node flag that `scripts/jest.js` sets).
 * Projects: `unit` and `client` need only Node. `features (...)` test a real server over HTTP, on a database.
 * `browser` tests the page in Chromium. `endurance` tests load and crashes. `ops` tests the commands and the container.
 */
const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', tsx: true, decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    },
    module: { type: 'es6' },
  },
];

const base = {
  transform: { '^.+\\.tsx?$': swc },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  setupFilesAfterEnv: ['<rootDir>/test/support/failOnConsole.ts'],
};

/**
 * The tests that also run on the embedded database, because they depend on SQL, the driver or files. All others run only on
 * PostgreSQL: the embedded database starts slowly and has one session, so it cannot show attacks or races.
 */
const ON_EMBEDDED = ['account', 'games', 'history', 'leaderboard', 'scoring', 'sign-in', 'start'];

const features = (database) => ({
  ...base,
  displayName: `features (${database})`,
  testMatch:
    database === 'pglite'
      ? ON_EMBEDDED.map((name) => `<rootDir>/test/features/${name}.test.ts`)
      : ['<rootDir>/test/features/**/*.test.ts'],
  globals: { DATABASE: database },
  globalSetup: '<rootDir>/test/support/globalSetup.js',
  globalTeardown: '<rootDir>/test/support/globalTeardown.js',
});

export default {
  projects: [
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/{game,server,scripts}/**/*.test.ts'] },
    {
      ...base,
      displayName: 'client',
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/client/**/*.test.{ts,tsx}'],
      moduleNameMapper: { ...base.moduleNameMapper, '\\.css$': '<rootDir>/test/support/emptyStyle.ts' },
      setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/support/clientSetup.ts'],
    },
    features('pglite'),
    features('postgres'),
    {
      ...base,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
      globals: { DATABASE: 'postgres' },
      globalSetup: '<rootDir>/test/support/globalSetup.js',
      globalTeardown: '<rootDir>/test/support/globalTeardown.js',
    },
    {
      ...base,
      displayName: 'endurance',
      testMatch: ['<rootDir>/test/endurance/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/globalSetup.js',
      globalTeardown: '<rootDir>/test/support/globalTeardown.js',
    },
    {
      ...base,
      displayName: 'ops',
      testMatch: ['<rootDir>/test/ops/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/globalSetup.js',
      globalTeardown: '<rootDir>/test/support/globalTeardown.js',
    },
  ],
};
