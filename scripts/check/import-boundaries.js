/**
 * The import boundaries of the architecture: FOLDERS lists what each folder may import beside packages and itself, and
 * PACKAGES which packages a part may not import. Anything else is an error, and so is a folder that FOLDERS does not list.
 */
import { fileURLToPath } from 'node:url';
import boundaries from 'eslint-plugin-boundaries';
import { ROOT } from '../machine/run.js';

/** @typedef {import('eslint').Linter.Config} Config */

const WEB = ['server/web', 'server/web/page', 'server/web/answers', 'server/web/requests'];
const BASE = ['server/base', 'server/settings', 'server/database', 'server/limits', ...WEB];
const AUTH = ['server/auth', 'server/auth/players', 'server/auth/sessions'];
const STATS = ['game', ...BASE, ...AUTH, 'server/stats'];
const FEATURE = ['game', 'client/data', 'client/graphql', 'client/messages', 'client/ui'];

/** @type {Record<string, string[]>} */
const FOLDERS = {
  game: [],

  'server/base': [],
  'server/settings': ['server/base'],
  'server/limits': ['server/base', 'server/settings'],
  'server/database': ['server/base', 'server/settings', 'server/limits'],
  'server/web/requests': ['server/base', 'server/settings', 'server/limits'],
  'server/web/answers': ['server/base', 'server/settings', 'server/database', 'server/limits', 'server/web/requests'],
  'server/web/page': ['server/base', 'server/settings', 'server/web/answers', 'server/web/requests'],
  'server/web': BASE,
  'server/graphql': [...BASE, 'server/auth', 'server/auth/sessions'],
  'server/auth/players': ['game', ...BASE],
  'server/auth/sessions': [...BASE, 'server/auth/players'],
  'server/auth/sign-in/providers': ['server/base', 'server/settings', 'server/auth/players'],
  'server/auth/sign-in/local': [...BASE, 'server/auth/players', 'server/auth/sign-in/providers'],
  'server/auth/sign-in': [...BASE, 'server/auth/players', 'server/auth/sessions', 'server/auth/sign-in/*'],
  'server/auth': [...BASE, 'server/auth/players', 'server/auth/sessions', 'server/auth/sign-in'],
  'server/stats': ['game', ...BASE, ...AUTH],
  'server/games': STATS,
  'server/leaderboard': STATS,
  'server/challenge': [...STATS, 'server/games'],
  'server/account': [...STATS, 'server/games', 'server/challenge', 'server/auth/sign-in'],
  'server/moderation': [...STATS, 'server/games', 'server/account', 'server/auth/sign-in'],
  'server/app/metrics': [...STATS, 'server/auth/sign-in', 'server/graphql', 'server/leaderboard'],
  'server/operator': [...STATS, 'server/auth/sign-in/providers', 'server/account', 'server/moderation'],
  server: ['game', 'server/**'],

  'client/ui': ['game', 'client/messages'],
  'client/messages': ['game'],
  'client/graphql': [],
  'client/data': ['game', 'client/graphql', 'client/messages', 'client/ui'],
  'client/auth': FEATURE,
  'client/account': FEATURE,
  'client/challenge': FEATURE,
  'client/history': FEATURE,
  'client/leaderboard': FEATURE,
  'client/moderation': FEATURE,
  'client/offline': FEATURE,
  'client/play': FEATURE,
  'client/player': [...FEATURE, 'client/account', 'client/history', 'client/leaderboard'],
  'client/playground': [...FEATURE, 'client/account'],
  'client/stats': FEATURE,
  // Pages of their own.
  'client/moderation/main': [...FEATURE, 'client/auth', 'client/moderation'],
  'client/playground/main': [...FEATURE, 'client/auth', 'client/playground'],
  client: ['game', 'client/**'],
  'client/tests': ['game', 'client/**'],

  scripts: [],
  benchmark: ['scripts'],
  configuration: ['scripts'],
  test: ['**'],
};

/** The files of an entry of FOLDERS that is no folder, or not a whole one. */
const FILES = /** @type {Record<string, string | string[]>} */ ({
  server: 'server/app/*',
  'client/moderation': 'client/moderation/**',
  'client/moderation/main': 'client/moderation/main.tsx',
  'client/playground': 'client/playground/**',
  'client/playground/main': 'client/playground/main.tsx',
  'client/tests': ['client/**/*.test.{ts,tsx}', 'client/testing/**'],
  scripts: ['scripts/*', 'scripts/{build,check,machine,release,start,test}/*'],
  benchmark: ['benchmark/*', 'benchmark/{measure,programs,rows}/*'],
  configuration: ['*.{js,ts}', '.*.js'],
});

/** A folder with listed folders inside holds only its own files. @type {(name: string) => string | string[]} */
const filesOf = (name) =>
  FILES[name] ?? `${name}/${Object.keys(FOLDERS).some((other) => other.startsWith(`${name}/`)) ? '*' : '**'}`;

/** What a file of a feature does, by the end of its name. @type {Record<string, string[]>} */
const ROLES = {
  'a resolver or controller': ['server/**/*.{resolver,controller}.ts'],
  'a service': ['server/**/*.service.ts'],
  'a repository': ['server/**/*.repository.ts'],
  'an entity': ['server/**/*.entity.ts'],
};

const TESTS = ['**/*.test.{ts,tsx}', 'test/**', 'client/testing/**'];

/** @type {(categories: string[]) => object} */
const files = (categories) => ({ file: { categories: { anyOf: categories } } });
/** @type {(part: string, not?: string[]) => object} */
const product = (part, not = []) => ({ file: { categories: { anyOf: [part], noneOf: ['tests', ...not] } } });

const CLIENT = 'The page runs in a browser: it imports neither a package of the server nor a module of Node.';
/** @type {[from: object, to: object, because: string][]} */
const PACKAGES = [
  [product('game'), { source: ['**'] }, 'game/ plays the same game in the page and on the server.'],
  [product('client/**'), { source: ['@nestjs/**', 'typeorm', 'pg', 'fastify'] }, CLIENT],
  [product('client/**'), { origin: 'core' }, CLIENT],
  [product('client/ui'), { source: ['@apollo/**', 'graphql', 'graphql-ws'] }, 'client/ui draws, and asks nobody.'],
  [
    product('server/**'),
    { source: ['react*', '@apollo/client', 'vite'] },
    'The server imports no package of the page, nor the tool that builds it.',
  ],
  [product('server/database'), { source: ['fastify', '@nestjs/graphql'] }, 'database/ knows neither HTTP nor GraphQL.'],
  [
    product('server/**', ['server/app/metrics']),
    { source: ['@prometheus-io/client'] },
    'Publish an event with `Observed`: app/metrics/ is the only folder that knows this package.',
  ],
];

const POLICIES = [
  { from: files(['tests']), allow: { to: files(['tests']) } },
  { from: product('**'), disallow: { to: files(['tests']) }, message: 'Production code imports no tests.' },
  ...PACKAGES.map(([from, module, message]) => ({ from, disallow: { to: { module } }, message })),
  // Each role calls those behind it in the list, and none before it.
  ...Object.keys(ROLES).map((role, index, roles) => ({
    from: product(role),
    disallow: { to: files(roles.slice(0, index)) },
    message: `In a feature, resolver or controller calls service, service calls repository, repository calls entity: ${role} calls none before it.`,
  })),
];

/** @type {(allowed: object[], message: string) => Config['rules']} */
const allowOnly = (allowed, message) => ({
  'boundaries/dependencies': [
    'error',
    {
      default: 'disallow',
      checkAllOrigins: true,
      checkUnknownLocals: true,
      checkInternals: true,
      message,
      policies: [
        { allow: { to: { module: { origin: ['core', 'external'] } } } },
        ...allowed.map((to) => ({ allow: { to } })),
        ...POLICIES,
      ],
    },
  ],
});

const SOURCE = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}';
const UNLISTED = 'scripts/check/import-boundaries.js does not list this folder: say there what it may import.';

/** @type {Config[]} */
export default [
  {
    files: [SOURCE],
    // The plugin's types wrap the module in `default`, which Node has already unwrapped.
    plugins: { boundaries: /** @type {import('eslint').ESLint.Plugin} */ (/** @type {unknown} */ (boundaries)) },
    settings: {
      'import/resolver': { [fileURLToPath(import.meta.resolve('./import-resolver.js'))]: {} },
      'boundaries/root-path': ROOT,
      'boundaries/files': [
        ...Object.keys(FOLDERS).map((category) => ({ category, pattern: filesOf(category) })),
        ...Object.entries(ROLES).map(([category, pattern]) => ({ category, pattern })),
        { category: 'tests', pattern: TESTS },
      ],
      'boundaries/dependency-nodes': ['import', 'dynamic-import', 'export', 'require'],
      'boundaries/additional-dependency-nodes': [
        { selector: 'TSImportType Literal', kind: 'type', name: 'import-type' },
        { selector: 'TSExternalModuleReference > Literal', kind: 'value', name: 'import-equals' },
      ],
      'boundaries/legacy-warnings': false,
    },
    rules: allowOnly([], UNLISTED),
  },
  // One block for each folder, because the rule compares each import with all its policies. The last block of a file counts.
  ...Object.entries(FOLDERS).map(([name, imports]) => ({
    // A nested list means that a file matches both.
    files: [filesOf(name)].flat().map((folder) => [folder, SOURCE]),
    rules: allowOnly(
      [files([name, ...imports])],
      `${name} may import ${imports.join(', ') || 'no other folder'}: see scripts/check/import-boundaries.js.`,
    ),
  })),
  {
    files: [SOURCE],
    ignores: Object.keys(FOLDERS).flatMap(filesOf),
    rules: { 'no-restricted-syntax': ['error', { selector: 'Program', message: UNLISTED }] },
  },
];
