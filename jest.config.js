/**
 * Jest runs as ECMAScript modules (`NODE_OPTIONS=--experimental-vm-modules`, set by `scripts/test.js`).
 * Projects: `unit` and `client` need nothing but Node; `features (...)` drive a real server over HTTP on a database;
 * `browser` drives the same server's page in Chromium; `ops` proves what an operator gets: the commands and the container.
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
 * What each database must prove for itself: its SQL, its driver and its life on disk. All else is proven once, on
 * PostgreSQL. The embedded database is slow to start and has one session, so it proves nothing about attacks or races.
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
