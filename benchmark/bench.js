/** What a row measures with: a PostgreSQL, a load generator, and servers on the same players, each started when needed. */
import { totalmem } from 'node:os';
import pg from 'pg';
import { startPostgres } from '../scripts/machine/postgres.js';
import { startLoad } from './load.js';
import { migrate } from './product.js';
import { openStage } from './stage.js';

/** A quarter of the memory, as PostgreSQL's documentation advises. */
const SHARED_BUFFERS = `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`;
const POSTGRES_SETTINGS = { shared_buffers: SHARED_BUFFERS, max_wal_size: '8GB', max_connections: '300' };

/**
 * @typedef {object} Sizes
 * @property {number} rounds        of each server, after one that warms up
 * @property {number} requests      of a round with players of the same score
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

/** Settings of PostgreSQL with which a commit takes so many milliseconds. It waits for other commits only where it flushes to the disk. */
export const commitOf = (/** @type {number} */ milliseconds) => ({
  fsync: 'on',
  commit_delay: String(milliseconds * 1_000),
  commit_siblings: '0',
});

/**
 * Each row has its own, so that nothing that another row has left behind works beside it, such as the vacuum of its games.
 * @param {object} options
 * @param {Sizes} options.sizes
 * @param {Record<string, string>} [options.settings]   of PostgreSQL
 * @param {import('./before.js').Earlier} options.earlier
 */
export async function openBench({ sizes, settings, earlier }) {
  const postgres = await startPostgres({ settings: { ...POSTGRES_SETTINGS, ...settings } });
  const load = startLoad();
  /** @type {(() => Promise<void>)[]} */
  const ends = [postgres.stop];
  return {
    sizes,
    load,
    postgres,
    database: () => makeDatabase(postgres),
    async stage() {
      const { url, client } = await makeDatabase(postgres);
      ends.push(() => client.end());
      return openStage({ url, client, ends, wanted: sizes.stagePlayers, earlier });
    },
    postgresVersion: () => version(postgres.url),
    async close() {
      load.stop();
      for (const end of ends.toReversed()) await end();
    },
  };
}

let databases = 0;

/** A database with the product's schema and a client on it. @param {{ url: string }} postgres */
async function makeDatabase(postgres) {
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
