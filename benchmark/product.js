/** The product: its built server as an operator runs it, and its own modules for signing tokens and tickets. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../scripts/machine/port.js';
import { ROOT } from '../scripts/machine/run.js';
import { serve } from './processes.js';

/** Imported after the build. */
export const built = (/** @type {string} */ path) => import(new URL(`../dist/${path}`, import.meta.url).href);

export const MAIN = join(ROOT, 'dist', 'bundle', 'main.js');
export const REPLAY = new URL('../dist/game/replay.js', import.meta.url).href;

/** How far back tickets are issued: longer than any game takes at the bot's pace. */
const PLAYED_MS = 60_000;

/** Production, with the limits off: the load would exceed them. */
const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  GOOGLE_CLIENT_ID: 'benchmark',
  GOOGLE_CLIENT_SECRET: 'benchmark',
  GITHUB_CLIENT_ID: 'benchmark',
  GITHUB_CLIENT_SECRET: 'benchmark',
  REPORTED_RESULTS: 'accept',
  GAMES_PER_DAY: '0',
  GAMES_PER_MINUTE: '0',
  REPORTS_PER_MINUTE: '0',
  SIGN_INS_PER_MINUTE: '0',
  REQUESTS_PER_MINUTE: '0',
};

/** @typedef {{ playerId: string, sessionId: string }} SignedIn */

/**
 * @typedef {object} Signer
 * @property {(player: SignedIn) => Promise<string>} accessToken
 * @property {(playerId: string, difficulty: string) => { gameId: string, seed: string, token: string, issuedAt: Date }} ticket
 */

/** The same for all servers of a run, so that each takes the tokens and tickets of the others. */
const SHARED = { PUBLIC_ORIGIN: 'http://127.0.0.1:3000', AUTH_SECRET: randomBytes(32).toString('hex') };

/**
 * A running server and what signs as it does.
 * @param {string} databaseUrl
 * @param {string} [main]   of another revision
 */
export async function startProduct(databaseUrl, main = MAIN) {
  const port = await freePort();
  const env = {
    ...SETTINGS,
    DATABASE_URL: databaseUrl,
    ...SHARED,
  };
  const server = await serve({ args: ['--enable-source-maps', main], env, port, path: '/health/ready' });
  return { ...server, signer: await signerOf(env) };
}

/** @typedef {Awaited<ReturnType<typeof startProduct>>} Product */

/** Shorter than tokens live, so that none expires in a long row. */
const SAME_TOKENS_MS = 300_000;

/**
 * The players' access tokens, the same for some minutes, as a browser has them.
 * @param {readonly SignedIn[]} players
 * @param {(player: SignedIn) => string | Promise<string>} issue
 * @returns {() => Promise<string[]>}
 */
export function tokensOf(players, issue) {
  let issuedAt = 0;
  /** @type {Promise<string[]>} */
  let tokens;
  return () => {
    if (performance.now() - issuedAt > SAME_TOKENS_MS || issuedAt === 0) {
      issuedAt = performance.now();
      tokens = Promise.all(players.map(issue));
    }
    return tokens;
  };
}

/** @returns {Promise<Signer>} */
async function signerOf(/** @type {Record<string, string>} */ settings) {
  const { readEnv } = await built('server/settings/env.js');
  const { Keys } = await built('server/settings/keys.js');
  const { Clock } = await built('server/base/clock.js');
  const { AccessTokens } = await built('server/auth/sessions/access-tokens.js');
  const { Tickets } = await built('server/games/tickets.js');
  const env = readEnv(settings);
  const keys = new Keys(env);
  const tickets = new Tickets(keys, { now: () => new Date(Date.now() - PLAYED_MS) });
  const accessTokens = new AccessTokens(env, new Clock(), keys);
  return {
    accessToken: (player) => accessTokens.issue(player),
    ticket(playerId, difficulty) {
      const { ticket, token } = tickets.issue(playerId, difficulty);
      return { gameId: ticket.gameId, seed: ticket.seed, token, issuedAt: ticket.issuedAt };
    },
  };
}

/** Brings the schema of an empty database up to date. */
export async function migrate(/** @type {string} */ url) {
  const { readEnv } = await built('server/settings/env.js');
  const { databaseOptions } = await built('server/database/data-source.js');
  const { openDatabase } = await built('server/schema/open-database.js');
  await (await openDatabase(await databaseOptions(readEnv({ DATABASE_URL: url })))).destroy();
}
