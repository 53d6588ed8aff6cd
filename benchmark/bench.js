/** Shared by the rows: one PostgreSQL, one load generator, and the servers on the same players, each started when needed. */
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '../scripts/machine/port.js';
import { startPostgres } from '../scripts/machine/postgres.js';
import { startLoad } from './load.js';
import { serve } from './processes.js';
import { built, migrate, REPLAY, startProduct } from './product.js';
import { fill, makePeerTables, somePlayers, SPREAD } from './tables.js';

/** A quarter of the memory, as PostgreSQL's documentation advises. */
const SHARED_BUFFERS = `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`;
const POSTGRES_SETTINGS = { shared_buffers: SHARED_BUFFERS, max_wal_size: '8GB', max_connections: '300' };

/**
 * @typedef {object} Sizes
 * @property {number} rounds        of each server, after one that warms up
 * @property {number} requests      of a round; reads take a multiple of it
 * @property {number} warmUp        requests of the first round, after which code is compiled and pools are full
 * @property {number} stagePlayers  on the leaderboard while servers are compared
 * @property {number} manyPlayers   beside a thousand
 * @property {number[]} watchers
 * @property {number} changes       that the watchers see
 * @property {number} starts
 */

/** @type {Record<'quick' | 'full', Sizes>} */
export const SIZES = {
  quick: {
    rounds: 3,
    requests: 400,
    warmUp: 1_000,
    stagePlayers: 2_000,
    manyPlayers: 100_000,
    watchers: [500],
    changes: 4,
    starts: 1,
  },
  full: {
    rounds: 9,
    requests: 3_000,
    warmUp: 6_000,
    stagePlayers: 10_000,
    manyPlayers: 10_000_000,
    watchers: [2_000, 10_000],
    changes: 20,
    starts: 5,
  },
};

/** @typedef {Awaited<ReturnType<typeof openBench>>} Bench */

export async function openBench(/** @type {Sizes} */ sizes) {
  const postgres = await startPostgres({ settings: POSTGRES_SETTINGS });
  const load = startLoad();
  /** @type {(() => Promise<void>)[]} */
  const ends = [];
  /** @type {ReturnType<typeof openStage> | undefined} */
  let stage;
  let databases = 0;

  /** A database with the product's schema and a client on it. */
  const database = async () => {
    const name = `benchmark_${++databases}`;
    await query(postgres.url, `CREATE DATABASE ${name}`);
    const url = postgres.url.replace(/\/postgres$/, `/${name}`);
    await migrate(url);
    const client = new pg.Client(url);
    await client.connect();
    const drop = async () => {
      await client.end();
      await query(postgres.url, `DROP DATABASE ${name} WITH (FORCE)`);
    };
    return { url, client, drop };
  };

  /** The servers that are compared, on one database, until the end of the run. */
  const openStage = async () => {
    const { url, client } = await database();
    ends.push(() => client.end());
    await fill(client, sizes.stagePlayers, SPREAD);
    await makePeerTables(client);
    const players = await somePlayers(client, Math.min(500, sizes.stagePlayers));
    const product = await startProduct(url);
    ends.push(product.stop);
    const peers = peersOn(url, ends);
    return { product, peers, players };
  };

  return {
    sizes,
    load,
    postgres,
    database,
    stage: () => (stage ??= openStage()),
    postgresVersion: () => version(postgres.url),
    async close() {
      load.stop();
      for (const end of ends) await end();
      await postgres.stop();
    },
  };
}

/** Each peer is started when a row first asks for it. */
function peersOn(/** @type {string} */ url, /** @type {(() => Promise<void>)[]} */ ends) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const ticketKey = randomBytes(32).toString('hex');
  /** @type {Map<string, Promise<import('./processes.js').Served>>} */
  const started = new Map();

  const peer = (/** @type {string} */ name, /** @type {string} */ program, /** @type {string} */ path, env = {}) => {
    let starting = started.get(name);
    if (!starting) {
      starting = startPeer(program, path, env);
      started.set(name, starting);
    }
    return starting;
  };
  const startPeer = async (
    /** @type {string} */ program,
    /** @type {string} */ path,
    /** @type {Record<string, string>} */ env,
  ) => {
    const { readEnv } = await built('server/settings/env.js');
    const { poolSize } = readEnv({}).database;
    const served = await serve({
      args: [fileURLToPath(new URL(`./programs/${program}.js`, import.meta.url))],
      env: { NODE_ENV: 'production', DATABASE_URL: url, POOL_SIZE: String(poolSize), ...env },
      port: await freePort(),
      path,
    });
    ends.push(served.stop);
    return served;
  };
  const fastifyEnv = {
    TICKET_KEY: ticketKey,
    PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    REPLAY,
  };
  const encode = (/** @type {object} */ part) => Buffer.from(JSON.stringify(part)).toString('base64url');

  return {
    fastify: () => peer('fastify', 'fastify', '/leaderboard', fastifyEnv),
    fastifyWithCache: () =>
      peer('fastify, tokens cached', 'fastify', '/leaderboard', { ...fastifyEnv, TOKEN_CACHE: '1' }),
    apolloWithCache: () => peer('apollo', 'apollo', '/graphql', { ...fastifyEnv, TOKEN_CACHE: '1' }),
    postgraphile: () => peer('postgraphile', 'postgraphile', '/graphql'),
    nodeHttp: () => peer('node:http', 'node-http', '/'),
    accessToken(/** @type {import('./product.js').SignedIn} */ { playerId, sessionId }) {
      const exp = Math.floor(Date.now() / 1_000) + 600;
      const said = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ sub: playerId, sid: sessionId, exp })}`;
      return `${said}.${sign(null, Buffer.from(said), privateKey).toString('base64url')}`;
    },
    ticket(/** @type {import('./games.js').Unsent} */ { gameId, player, difficulty, seed, issuedAt }) {
      const said = [gameId, player.playerId, difficulty, seed, issuedAt.getTime()].join('.');
      return `${said}.${createHmac('sha256', ticketKey).update(said).digest('base64url')}`;
    },
  };
}

/** @param {string} url @param {string} sql */
async function query(url, sql) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function version(/** @type {string} */ url) {
  const [row] = await query(url, 'SHOW server_version');
  return String(row.server_version).replace(/ .*/, '');
}
