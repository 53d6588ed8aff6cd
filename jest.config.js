/**
 * Jest loads the tests as ECMAScript modules (with the Node flag that `scripts/test/jest.js` sets).
 * Projects: `unit` and `client` need only Node. `features` tests a real server over HTTP, on a database.
 * `browser` tests the page in Chromium. `ops` tests the commands and the configurations. `drills` takes minutes: load, crashes,
 * and a release, one after the other (`npm run test:drills`); `npm test` leaves it out.
 */
/** @param {[string, object][]} plugins */
const swc = (plugins) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', tsx: true, decorators: true },
      experimental: { plugins },
      transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    },
    module: { type: 'es6' },
  },
];
/** The plugin for the macros of the page's sentences takes five times as long as swc alone. */
const transform = {
  '/client/.+\\.tsx?$': swc([['@lingui/swc-plugin', {}]]),
  '^.+\\.tsx?$': swc([]),
};

const base = {
  transform,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  setupFilesAfterEnv: ['<rootDir>/test/support/failOnConsole.ts'],
};

/** Their tests read files alone, so they are unit tests: `npm run check` runs them. */
const READERS = '(compose|documents|version)';

/** Modules of packages that a worker loads once for all files. */
const LARGE = '(@nestjs/common|ajv/dist/2020|jose|pg/esm|tough-cookie|typeorm/index.mjs)';

/** Projects that run the built server on a real PostgreSQL. */
const withServers = {
  ...base,
  transform: { [`/node_modules/${LARGE}|/server/.+\\.ts$`]: '<rootDir>/test/support/outside.js', ...transform },
  transformIgnorePatterns: [`/node_modules/(?!${LARGE})`],
  testEnvironment: '<rootDir>/test/support/environment.js',
  globalSetup: '<rootDir>/test/support/globalSetup.js',
  globalTeardown: '<rootDir>/test/support/globalTeardown.js',
};

export default {
  // A worker frees hundreds of megabytes when it ends: on a busy machine that takes longer than the 500 ms after which Jest
  // says that it "has failed to exit gracefully". What keeps a worker alive is still reported.
  workerGracefulExitTimeout: 10_000,
  reporters: ['default', '<rootDir>/scripts/test/counts.js'],
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{game,server,scripts}/**/*.test.ts', `<rootDir>/test/ops/@${READERS}.test.ts`],
    },
    {
      ...base,
      displayName: 'client',
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/client/**/*.test.{ts,tsx}'],
      moduleNameMapper: { ...base.moduleNameMapper, '\\.css$': '<rootDir>/test/support/emptyStyle.ts' },
      setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/support/clientSetup.ts'],
    },
    {
      ...withServers,
      displayName: 'features',
      testMatch: ['<rootDir>/test/features/**/*.test.ts'],
      setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/support/contract.ts'],
    },
    { ...withServers, displayName: 'browser', testMatch: ['<rootDir>/test/browser/**/*.test.ts'] },
    { ...withServers, displayName: 'drills', testMatch: ['<rootDir>/test/drills/**/*.test.ts'] },
    { ...withServers, displayName: 'ops', testMatch: [`<rootDir>/test/ops/!${READERS}.test.ts`] },
  ],
};
