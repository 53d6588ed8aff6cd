/**
 * The import boundaries of the architecture. `FOLDERS` lists what each folder may import: anything else is an error, and
 * so is a folder that the table does not list. `ROLES` restricts the files of a folder by their role, and the packages
 * that they may import. Each entry gives the reason that lint shows.
 */
import { fileURLToPath } from 'node:url';
import boundaries from 'eslint-plugin-boundaries';
import { ROOT } from '../machine/run.js';

/**
 * @typedef {{ files: string | string[], imports: string[], because: string }} Folder
 * @typedef {{ from: string, unless?: string[], not?: string[], except?: string[], packages?: string[], node?: true,
 *   kind?: 'value', because: string }} Restriction `from`, except `unless`, may import neither `not`, except `except`, nor
 *   `packages`, nor, with `node`, modules of Node
 * @typedef {import('eslint').Linter.Config} Config
 */

const BASE = ['server/base', 'server/settings', 'server/database', 'server/web'];
const AUTH = ['server/auth', 'server/auth/players', 'server/auth/sessions'];
const SHARED = ['game', 'client/graphql', 'client/messages', 'client/shared', 'client/ui'];

const PURE_GAME = 'game/ plays the same game in the page and on the server, so it imports nothing from outside itself.';
const SERVER_ALONE = 'The server imports neither the page nor the scripts. Put shared code into game/.';
const PAGE_ALONE = 'The page knows the server only through schema.graphql and HTTP. Put shared code into game/.';
const NEUTRAL_UI = 'client/ui draws and knows neither a feature nor GraphQL, so that every feature can use it.';

/** @type {(name: string) => [string, Folder]} */
const clientFeature = (name) => [
  `client/${name}`,
  {
    files: `client/${name}/**`,
    // A request carries the token of the session, so the session itself makes its own.
    imports: name === 'auth' ? SHARED : [...SHARED, 'client/requests'],
    because: "The page's features meet only in App.tsx and dialogs.tsx, which pass props between them.",
  },
];

/** @type {Record<string, Folder>} */
const FOLDERS = {
  game: {
    files: 'game/*',
    imports: [],
    because: PURE_GAME,
  },

  'server/base': {
    files: 'server/base/*',
    imports: [],
    because:
      'The clock, the ids, the events and the cache are for all folders of the server, so they import none of them.',
  },
  'server/settings': {
    files: 'server/settings/*',
    imports: ['server/base'],
    because: 'settings/ reads the settings and derives the keys. It stands below all that use them.',
  },
  'server/database': {
    files: 'server/database/**',
    imports: ['server/base', 'server/settings'],
    because:
      'database/ connects. It knows neither HTTP, nor a table, nor a feature: each feature brings its own entities.',
  },
  'server/schema': {
    files: 'server/schema/**',
    imports: ['server/base', 'server/settings', 'server/database'],
    because: 'schema/ creates the tables. It knows no feature: each feature brings its own entities.',
  },
  'server/web': {
    files: 'server/web/**',
    imports: ['server/base', 'server/settings', 'server/database'],
    because: 'web/ serves every feature, so it imports none, nor graphql/. app/ hands it what it needs from them.',
  },
  'server/graphql': {
    files: 'server/graphql/**',
    imports: ['server/base', 'server/settings', 'server/database', 'server/web'],
    because: 'graphql/ is the endpoint of every feature, so it imports none. Resolvers reach it through Nest.',
  },
  'server/auth/players': {
    files: 'server/auth/players/*',
    imports: BASE,
    because: 'The order inside auth/ is players -> sessions -> sign-in: a player exists without a session.',
  },
  'server/auth/sessions': {
    files: 'server/auth/sessions/*',
    imports: [...BASE, 'server/auth/players'],
    because: 'The order inside auth/ is players -> sessions -> sign-in: a session lives on after its sign-in.',
  },
  'server/auth/sign-in/providers': {
    files: 'server/auth/sign-in/providers/*',
    imports: ['server/base', 'server/settings', 'server/auth/players'],
    because: 'A provider gives a profile. It knows neither our sessions nor the sign-in that asks it.',
  },
  'server/auth/sign-in/local': {
    files: 'server/auth/sign-in/local/*',
    imports: ['server/base', 'server/settings', 'server/web', 'server/auth/players', 'server/auth/sign-in/providers'],
    because: 'The local provider replaces a provider, so it imports nothing from the sign-in either.',
  },
  'server/auth/sign-in': {
    files: 'server/auth/sign-in/*',
    imports: [
      ...BASE,
      'server/auth/players',
      'server/auth/sessions',
      'server/auth/sign-in/providers',
      'server/auth/sign-in/local',
    ],
    because: 'auth/ says who a player is and stands below every feature.',
  },
  'server/auth': {
    files: 'server/auth/*',
    imports: [...BASE, 'server/auth/players', 'server/auth/sessions', 'server/auth/sign-in'],
    because: 'auth/ says who a player is and stands below every feature.',
  },
  'server/counting': {
    files: 'server/counting/*',
    imports: ['game', ...BASE, ...AUTH],
    because: 'counting/ owns games and their sums. The features stand above: they import it, never the other way.',
  },
  'server/stats': {
    files: 'server/stats/*',
    imports: ['game', ...BASE, ...AUTH, 'server/counting'],
    because: 'stats/ stands below games, leaderboard and account: they import it, never the other way.',
  },
  'server/games': {
    files: 'server/games/*',
    imports: ['game', ...BASE, ...AUTH, 'server/counting', 'server/stats'],
    because: 'games/ and leaderboard/ do not know each other: they meet in counting/. The account stands on top.',
  },
  'server/leaderboard': {
    files: 'server/leaderboard/*',
    imports: ['game', ...BASE, ...AUTH, 'server/counting', 'server/stats'],
    because: 'games/ and leaderboard/ do not know each other: they meet in counting/. The account stands on top.',
  },
  'server/challenge': {
    files: 'server/challenge/*',
    imports: ['game', ...BASE, ...AUTH, 'server/counting', 'server/stats', 'server/games'],
    because: 'challenge/ counts its games through counting/, which does not know it. The account stands on top.',
  },
  'server/account': {
    files: 'server/account/*',
    imports: [
      ...BASE,
      ...AUTH,
      'server/auth/sign-in',
      'server/counting',
      'server/stats',
      'server/games',
      'server/challenge',
    ],
    because:
      'account/ exports and deletes what the features store. It knows no leaderboard, which stores nothing of a player.',
  },
  'server/metrics': {
    files: 'server/metrics/*',
    imports: [
      ...BASE,
      'server/schema',
      'server/auth/players',
      'server/auth/sign-in',
      'server/graphql',
      'server/counting',
      'server/games',
      'server/leaderboard',
    ],
    because: 'metrics/ subscribes to the events of the features. No feature knows it: only app/ starts it.',
  },
  'server/traces': {
    files: 'server/traces/*',
    imports: [...BASE, 'server/auth/sign-in/providers', 'server/graphql'],
    because: 'traces/ subscribes to the events of the features. No feature knows it: only app/ starts it.',
  },
  'server/operator/moderation': {
    files: 'server/operator/moderation/*',
    imports: [...BASE, ...AUTH, 'server/operator', 'server/counting', 'server/games'],
    because: "moderation/ holds an operator's decisions. The command line asks it; the server never does.",
  },
  'server/operator/archive': {
    files: 'server/operator/archive/*',
    imports: ['game', ...BASE, 'server/schema', 'server/counting', 'server/operator', 'server/operator/moderation'],
    because: 'archive/ takes old games out of the database and back. The command line asks it; the server never does.',
  },
  'server/operator/upkeep': {
    files: 'server/operator/upkeep/*',
    imports: [...BASE, ...AUTH, 'server/schema', 'server/counting', 'server/operator', 'server/operator/moderation'],
    because: 'upkeep/ checks, saves and moves a database. The command line asks it; the server never does.',
  },
  'server/operator': {
    files: 'server/operator/*',
    imports: [],
    because: 'The error of a command is for all folders of operator/, so it imports none of them.',
  },
  'server/operator/commands': {
    files: 'server/operator/commands/*',
    imports: [...BASE, ...AUTH, 'server/schema', 'server/counting', 'server/operator', 'server/operator/**'],
    because: 'commands/ reads arguments and prints results. It knows neither HTTP nor GraphQL.',
  },
  server: {
    files: ['server/{main,ttt}.ts', 'server/app/*'],
    imports: ['game', 'server/**'],
    because: SERVER_ALONE,
  },

  'client/ui': {
    files: 'client/ui/**',
    imports: ['game', 'client/messages'],
    because: NEUTRAL_UI,
  },
  'client/messages': {
    files: 'client/messages/**',
    imports: ['game'],
    because: 'The messages of the page are data: they import only the types of game/.',
  },
  'client/graphql': {
    files: 'client/graphql/**',
    imports: [],
    because: 'client/graphql holds the transport and the generated documents, and knows no feature.',
  },
  'client/requests': {
    files: 'client/{apollo,signedInFetch}.ts',
    imports: ['game', 'client/auth', 'client/graphql', 'client/messages', 'client/shared', 'client/ui'],
    because:
      'Requests carry the access token of the session. They know no other feature: the features meet in App.tsx and dialogs.tsx.',
  },
  'client/shared': {
    files: 'client/!(App|main|dialogs|apollo|signedInFetch).{ts,tsx}',
    imports: ['game'],
    because: 'Shared code of the page imports no feature: the features meet in App.tsx and dialogs.tsx.',
  },
  ...Object.fromEntries(
    ['account', 'auth', 'challenge', 'history', 'leaderboard', 'offline', 'play', 'playground', 'stats'].map(
      clientFeature,
    ),
  ),
  'client/playground/main': {
    files: 'client/playground/main.tsx',
    imports: [...SHARED, 'client/requests', 'client/auth', 'client/playground'],
    because: 'The playground is a page of its own, and this file is its App.tsx.',
  },
  client: {
    files: 'client/{App,main,dialogs}.{ts,tsx,css}',
    imports: ['game', 'client/**'],
    because: PAGE_ALONE,
  },

  scripts: {
    files: ['scripts/*', 'scripts/{build,check,drills,machine,measure,page,test}/*'],
    imports: [],
    because: 'scripts/ runs the commands on the built product: it imports no source of it.',
  },
  benchmark: {
    files: ['benchmark/*', 'benchmark/rows/*', 'benchmark/programs/*'],
    imports: ['scripts'],
    because: 'benchmark/ measures the built product beside its peers: it imports no source of it.',
  },
  configuration: {
    files: ['*.{js,ts}', '.*.js'],
    imports: ['scripts'],
    because: 'The configuration of a tool may use scripts/, and nothing of the product.',
  },
  test: {
    files: 'test/**',
    imports: ['**'],
    because: 'The tests of the whole product may import all of it.',
  },
  'client/tests': {
    files: ['client/**/*.test.{ts,tsx}', 'client/testing/**'],
    imports: ['game', 'client/**'],
    because: 'A test of the page may import all of the page. The page knows the server only through HTTP.',
  },
};

/** Which files have which role. */
const ROLE_FILES = {
  'role:entity': 'server/**/*.entity.ts',
  'role:type': 'server/**/*.type.ts',
  'role:service': 'server/**/*.service.ts',
  'role:entry': 'server/**/*.{controller,resolver}.ts',
  'role:module': 'server/**/*.module.ts',
  'role:names': 'server/auth/players/provider-name.ts',
  // Functions that compute a field of a GraphQL type.
  'role:field': 'server/auth/{players/picture,sessions/browser-name}.ts',
  'role:test': ['**/*.test.{ts,tsx}', 'test/**', 'client/testing/**'],
};

/** @type {Restriction[]} */
const ROLES = [
  {
    from: 'role:entry',
    not: ['role:entity'],
    packages: ['typeorm', '@nestjs/typeorm'],
    because: 'A resolver or controller asks a service. Rows stay behind it, so that they never become an answer.',
  },
  {
    from: 'server/**',
    unless: ['role:module'],
    not: ['role:entry'],
    because:
      'A resolver or controller is an entry point: only its module imports it. Put what others need into a service.',
  },
  {
    from: 'server/**',
    unless: ['role:module', 'server'],
    not: ['role:module'],
    because: 'A module composes: only another module and app.ts import it.',
  },
  {
    from: 'role:entity',
    not: ['**'],
    except: ['role:entity', 'role:names', 'game'],
    packages: ['@nestjs/*'],
    because: 'An entity is a row: it imports no service, and it is never a GraphQL type.',
  },
  {
    from: 'role:type',
    not: ['**'],
    except: ['role:type', 'role:entity', 'role:names', 'role:field', 'game'],
    packages: ['typeorm', '@nestjs/typeorm', 'pg'],
    because: 'A GraphQL type is never a row and asks no service: the API must not change with the tables.',
  },
  {
    from: 'role:type',
    not: ['role:entity'],
    kind: 'value',
    because: 'A GraphQL type is never a row: it may use the type of an entity, and not its class.',
  },
  {
    from: 'game',
    packages: ['**'],
    because: PURE_GAME,
  },
  {
    from: 'client/**',
    packages: ['@nestjs/**', 'typeorm', 'pg', 'fastify'],
    node: true,
    because: 'The page runs in a browser: it imports no package of the server and no module of Node.',
  },
  {
    from: 'server/**',
    packages: ['react*', '@apollo/client', 'vite'],
    because: 'The server imports no package of the page, nor the tool that builds it.',
  },
  {
    from: 'server/database',
    packages: ['fastify', '@nestjs/graphql'],
    because: 'database/ connects. It knows neither HTTP nor GraphQL.',
  },
  {
    from: 'server/**',
    unless: ['server/metrics', 'server/traces'],
    packages: ['prom-client', '@opentelemetry/*'],
    because: 'Publish an event with `Observed`: metrics/ and traces/ are the only folders that know these packages.',
  },
  {
    from: 'client/ui',
    packages: ['@apollo/**', 'graphql', 'graphql-ws'],
    because: NEUTRAL_UI,
  },
];

/** @type {(categories: string[], not?: string[]) => object} */
const files = (categories, not) => ({
  file: { categories: { anyOf: categories, ...(not?.length && { noneOf: not }) } },
});

const ROLE_POLICIES = [
  { from: files(['role:test']), allow: { to: files(['role:test']) } },
  {
    from: files(['**'], ['role:test']),
    disallow: { to: files(['role:test']) },
    message: 'Production code does not import tests.',
  },
  ...ROLES.flatMap(({ from, unless = [], not, except, packages, node, kind, because }) => {
    const source = files([from], [...unless, 'role:test']);
    const dependency = kind && { dependency: { kind } };
    return [
      ...(not ? [{ from: source, disallow: { to: files(not, except), ...dependency }, message: because }] : []),
      ...(packages ? [{ from: source, disallow: { to: { module: { source: packages } } }, message: because }] : []),
      ...(node ? [{ from: source, disallow: { to: { module: { origin: 'core' } } }, message: because }] : []),
    ];
  }),
];

/** @type {(allowed: object[], because: string) => Config['rules']} */
const allowOnly = (allowed, because) => ({
  'boundaries/dependencies': [
    'error',
    {
      default: 'disallow',
      checkAllOrigins: true,
      checkUnknownLocals: true,
      checkInternals: true,
      message: because,
      policies: [
        { allow: { to: { module: { origin: ['core', 'external'] } } } },
        ...allowed.map((to) => ({ allow: { to } })),
        ...ROLE_POLICIES,
      ],
    },
  ],
});

// The plugin's types wrap the module in `default`, which Node has already unwrapped.
const plugin = /** @type {import('eslint').ESLint.Plugin} */ (/** @type {unknown} */ (boundaries));

const SOURCE = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}';
const VAGUE_FOLDERS = '**/{util,utils,common,helper,helpers,misc,lib}/**';

/** @type {Config[]} */
export default [
  {
    files: [SOURCE],
    plugins: { boundaries: plugin },
    settings: {
      'import/resolver': { [fileURLToPath(import.meta.resolve('./import-resolver.js'))]: {} },
      'boundaries/root-path': ROOT,
      'boundaries/files': [
        ...Object.entries(FOLDERS).map(([category, { files: pattern }]) => ({ category, pattern })),
        ...Object.entries(ROLE_FILES).map(([category, pattern]) => ({ category, pattern })),
      ],
      'boundaries/dependency-nodes': ['import', 'dynamic-import', 'export', 'require'],
      'boundaries/additional-dependency-nodes': [
        { selector: 'TSImportType Literal', kind: 'type', name: 'import-type' },
        { selector: 'TSExternalModuleReference > Literal', kind: 'value', name: 'import-equals' },
      ],
      'boundaries/legacy-warnings': false,
    },
    rules: allowOnly([], 'FOLDERS in scripts/check/import-boundaries.js lists neither this import nor its folder.'),
  },
  // One block for each folder, because the rule compares each import with all its policies. The last block of a file counts.
  ...Object.entries(FOLDERS).map(([name, { files: pattern, imports, because }]) => ({
    // A nested list means that a file matches both.
    files: [pattern].flat().map((folder) => [folder, SOURCE]),
    rules: allowOnly([files([name, ...imports])], because),
  })),
  {
    files: [SOURCE],
    ignores: Object.values(FOLDERS).flatMap(({ files }) => files),
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program',
          message: 'FOLDERS in scripts/check/import-boundaries.js does not list this folder: say there what it may import.',
        },
      ],
    },
  },
  {
    files: [VAGUE_FOLDERS],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program',
          message: 'A folder is named by what it holds: everything fits into utils, common or helpers.',
        },
      ],
    },
  },
];
