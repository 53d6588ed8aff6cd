/** The built server of a revision as an operator runs it, and the revision's own modules for tokens, tickets and games. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InMemoryCache } from '@apollo/client';
import { print } from 'graphql';
import { runnerImport } from 'vite';
import { freePort } from '../../scripts/machine/port.js';
import { serve } from './processes.js';

/** How far back tickets are issued: longer than any game takes at the bot's pace. */
const PLAYED_MS = 60_000;

/** Production, with the limits off: the load would exceed them. All servers of a run take each other's tokens and tickets. */
export const SETTINGS = {
  NODE_ENV: 'production',
  // What V8 takes in the container of docker-compose.yml. A machine with more memory gives young objects more room.
  NODE_OPTIONS: '--max-semi-space-size=8',
  HOST: '127.0.0.1',
  PUBLIC_ORIGIN: 'http://127.0.0.1:3000',
  AUTH_SECRET: randomBytes(32).toString('hex'),
  GOOGLE_CLIENT_ID: 'benchmark',
  GOOGLE_CLIENT_SECRET: 'benchmark',
  GITHUB_CLIENT_ID: 'benchmark',
  GITHUB_CLIENT_SECRET: 'benchmark',
  REPORTED_RESULTS: 'accept',
  GAMES_PER_DAY: '0',
  GAMES_PER_MINUTE: '0',
  // Of earlier revisions.
  REPORTS_PER_MINUTE: '0',
  SIGN_INS_PER_MINUTE: '0',
  REQUESTS_PER_MINUTE: '0',
};

/** Shorter than tokens live, so that none expires in a long row. */
const SAME_TOKENS_MS = 300_000;

/**
 * @typedef {import('./revisions.js').Revision} Revision
 * @typedef {{ playerId: string, sessionId: string }} SignedIn
 * @typedef {{ player: SignedIn, gameId: string, difficulty: string, seed: string, token: string, issuedAt: Date, squares: number[] }} Unsent   a finished game
 * @typedef {Awaited<ReturnType<typeof modulesOf>>} Modules
 */

/** @param {string} databaseUrl @param {Revision} revision */
export async function startProduct(databaseUrl, { root }) {
  const env = { ...SETTINGS, DATABASE_URL: databaseUrl };
  return serve({ args: [join(root, 'dist/bundle/main.js')], env, port: await freePort(), path: '/health/ready' });
}

/** Imported after the build. */
export async function modulesOf(/** @type {Revision} */ { root }) {
  const built = (/** @type {string} */ path) => import(pathToFileURL(join(root, 'dist', path)).href);
  const { readEnv } = await built('server/settings/env.js');
  const { Keys } = await built('server/settings/keys.js');
  const { Clock } = await built('server/base/clock.js');
  // An earlier revision has them in a file of all tokens.
  const { AccessTokens } = await built('server/auth/sessions/access-tokens.service.js').catch(() =>
    built('server/auth/sessions/tokens.js'),
  );
  const { Tickets } = await built('server/games/tickets.js');
  const { newGame, play } = await built('game/rules.js');
  const { botSquare, DIFFICULTIES } = await built('game/bot.js');
  const { emptySquares } = await built('game/board.js');
  const env = readEnv({ ...SETTINGS, DATABASE_URL: 'postgresql://127.0.0.1/none' });
  const keys = new Keys(env);
  const tickets = new Tickets(keys, { now: () => new Date(Date.now() - PLAYED_MS) });
  const accessTokens = new AccessTokens(env, new Clock(), keys);
  const texts = await textsOf(root);

  return {
    /** The connections of a server's pool. */
    poolSize: /** @type {number} */ (env.database.poolSize),
    accessToken: (/** @type {SignedIn} */ player) => /** @type {Promise<string>} */ (accessTokens.issue(player)),
    /** An operation of the revision's page, in the text that it sends: the field behind it may have another name. */
    textOf(/** @type {string} */ name) {
      const text = texts.find((operation) => new RegExp(`^\\w+ ${name}\\b`).test(operation));
      if (text === undefined) throw new Error(`The page of ${root} sends no operation ${name}`);
      return text;
    },
    /** Finished games that nobody has sent yet, one for each of the players, of all difficulties alike. */
    playGames: (/** @type {readonly SignedIn[]} */ players) =>
      players.map((player, at) => {
        const difficulty = /** @type {string} */ (DIFFICULTIES[at % DIFFICULTIES.length]);
        const { ticket, token } = tickets.issue(player.playerId, difficulty);
        const squares = [];
        let game = newGame();
        while (!game.outcome) {
          const empty = emptySquares(game.board);
          const square = empty[Math.floor(Math.random() * empty.length)];
          squares.push(square);
          game = play(game, square).game;
          if (!game.outcome) game = play(game, botSquare({ board: game.board, difficulty, seed: ticket.seed })).game;
        }
        return /** @type {Unsent} */ ({ player, token, squares, ...ticket });
      }),
  };
}

/** The operations of the page, as Apollo Client sends them. @returns {Promise<string[]>} */
async function textsOf(/** @type {string} */ root) {
  // An earlier revision lists them.
  const list = join(root, 'dist/client/.vite/operations.json');
  if (existsSync(list)) return JSON.parse(readFileSync(list, 'utf8'));
  const { module } = await runnerImport(join(root, 'client/graphql/generated.ts'));
  const cache = new InMemoryCache();
  return Object.values(/** @type {Record<string, import('graphql').DocumentNode>} */ (module))
    .filter(({ definitions }) => definitions?.[0]?.kind === 'OperationDefinition')
    .map((document) => print(cache.transformDocument(document)));
}

/**
 * The players' access tokens, the same for some minutes, as a browser has them.
 * @param {readonly SignedIn[]} players
 * @param {(player: SignedIn) => string | Promise<string>} issue
 * @returns {() => Promise<string[]>}
 */
export function tokensOf(players, issue) {
  let issuedAt = -Infinity;
  /** @type {Promise<string[]>} */
  let tokens;
  return () => {
    if (performance.now() - issuedAt > SAME_TOKENS_MS) {
      issuedAt = performance.now();
      tokens = Promise.all(players.map(issue));
    }
    return tokens;
  };
}

/**
 * @param {string} path @param {unknown} body @param {string} [token]
 * @returns {import('./load.js').Request}
 */
export const post = (path, body, token) => ({
  method: 'POST',
  path,
  headers: {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  },
  body: JSON.stringify(body),
});

/** An operation of the page. @param {Modules} modules @param {string} operationName @param {object} variables @param {string} [token] */
export const operation = (modules, operationName, variables, token) =>
  post('/graphql', { operationName, variables, query: modules.textOf(operationName) }, token);
