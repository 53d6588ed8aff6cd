/** What each folder may import, with the reason that lint shows. */
import { SERVER_FOLDERS } from './server-folders.js';

/** @typedef {import('./server-folders.js').Folder} Folder */

const SHARED = ['game', 'client/graphql', 'client/messages', 'client/shared', 'client/ui'];

export const PURE_GAME =
  'game/ plays the same game in the page and on the server, so it imports nothing from outside itself.';
const PAGE_ALONE = 'The page knows the server only through schema.graphql and HTTP. Put shared code into game/.';
export const NEUTRAL_UI = 'client/ui draws and knows neither a feature nor GraphQL, so that every feature can use it.';

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
export const FOLDERS = {
  game: {
    files: 'game/*',
    imports: [],
    because: PURE_GAME,
  },

  ...SERVER_FOLDERS,

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
    [
      'account',
      'auth',
      'challenge',
      'docs',
      'history',
      'leaderboard',
      'moderation',
      'offline',
      'play',
      'playground',
      'stats',
    ].map(clientFeature),
  ),
  ...Object.fromEntries(
    ['moderation', 'playground'].map((name) => [
      `client/${name}/main`,
      {
        files: `client/${name}/main.tsx`,
        imports: [...SHARED, 'client/requests', 'client/auth', `client/${name}`],
        because: `The ${name} is a page of its own, and this file is its App.tsx.`,
      },
    ]),
  ),
  client: {
    files: 'client/{App,main,dialogs}.{ts,tsx,css}',
    imports: ['game', 'client/**'],
    because: PAGE_ALONE,
  },

  scripts: {
    files: ['scripts/*', 'scripts/{build,check,drills,machine,measure,page,release,test}/*'],
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
