/** The folders of the server, and what each may import. folders.js adds the other folders. */

/**
 * @typedef {{ files: string | string[], imports: string[], because: string }} Folder
 */

const BASE = ['server/base', 'server/settings', 'server/database', 'server/web'];
const AUTH = ['server/auth', 'server/auth/players', 'server/auth/sessions'];

const SERVER_ALONE = 'The server imports neither the page nor the scripts. Put shared code into game/.';

/** @type {Record<string, Folder>} */
export const SERVER_FOLDERS = {
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
    files: 'server/counting/**',
    imports: ['game', ...BASE, ...AUTH],
    because: 'counting/ owns games and their sums. The features stand above: they import it, never the other way.',
  },
  'server/stats': {
    files: 'server/stats/*',
    imports: ['game', ...BASE, ...AUTH, 'server/counting'],
    because: 'stats/ stands below games, leaderboard and account: they import it, never the other way.',
  },
  'server/games': {
    files: 'server/games/**',
    imports: ['game', ...BASE, ...AUTH, 'server/counting', 'server/stats'],
    because: 'games/ and leaderboard/ do not know each other: they meet in counting/. The account stands on top.',
  },
  'server/leaderboard': {
    files: 'server/leaderboard/**',
    imports: ['game', ...BASE, ...AUTH, 'server/counting', 'server/stats'],
    because: 'games/ and leaderboard/ do not know each other: they meet in counting/. The account stands on top.',
  },
  'server/challenge': {
    files: 'server/challenge/**',
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
  'server/moderation': {
    files: 'server/moderation/*',
    imports: ['game', ...BASE, ...AUTH, 'server/auth/sign-in', 'server/counting', 'server/games', 'server/account'],
    because:
      'moderation/ decides about players and games. Moderators ask it through the server, operators through ttt.',
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
  'server/operator/archive': {
    files: 'server/operator/archive/*',
    imports: [
      'game',
      ...BASE,
      'server/schema',
      'server/counting',
      'server/challenge',
      'server/operator',
      'server/moderation',
    ],
    because: 'archive/ takes old games out of the database and back. The command line asks it; the server never does.',
  },
  'server/operator/upkeep': {
    files: 'server/operator/upkeep/*',
    imports: [...BASE, ...AUTH, 'server/schema', 'server/counting', 'server/operator', 'server/moderation'],
    because: 'upkeep/ checks, saves and moves a database. The command line asks it; the server never does.',
  },
  'server/operator': {
    files: 'server/operator/*',
    imports: [],
    because: 'The error of a command is for all folders of operator/, so it imports none of them.',
  },
  'server/operator/commands': {
    files: 'server/operator/commands/*',
    imports: [
      ...BASE,
      ...AUTH,
      'server/auth/sign-in',
      'server/schema',
      'server/counting',
      'server/operator',
      'server/operator/**',
      'server/moderation',
      'server/challenge',
    ],
    because: 'commands/ reads arguments and prints results. It knows neither HTTP nor GraphQL.',
  },
  server: {
    files: ['server/{main,ttt}.ts', 'server/app/*'],
    imports: ['game', 'server/**'],
    because: SERVER_ALONE,
  },
};
