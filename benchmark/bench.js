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

/** Settings of PostgreSQL with which a commit takes so many milliseconds. PostgreSQL waits for other commits only where it flushes to the disk. */
export const commitOf = (/** @type {number} */ milliseconds) => ({
  fsync: 'on',
  commit_delay: String(milliseconds * 1_000),
  commit_siblings: '0',
});

/**
 * Each row has a bench of its own, because PostgreSQL would still vacuum the games of the row before.
 * @param {object} options
 * @param {Sizes} options.sizes
 * @param {Record<string, string>} [options.settings]   of PostgreSQL
 * @param {import('./earlier.js').BuildEarlier} options.buildEarlier
 */
export async function openBench({ sizes, settings, buildEarlier }) {
  /** @type {(() => Promise<unknown>)[]} */
  const ends = [];
  /** @type {import('./stage.js').AtEnd} */
  const atEnd = (end) => void ends.push(end);
  const postgres = await startPostgres({ settings: { ...POSTGRES_SETTINGS, ...settings } });
  atEnd(postgres.stop);
  const load = startLoad();
  atEnd(load.stop);
  let databases = 0;

  /** Makes a database with the product's schema, and a client on it. */
  const database = async () => {
    const name = `benchmark_${++databases}`;
    await query(postgres.url, `CREATE DATABASE ${name}`);
    const url = postgres.url.replace(/\/postgres$/, `/${name}`);
    await migrate(url);
    const client = new pg.Client(url);
    await client.connect();
    atEnd(() => client.end());
    return { url, client };
  };

  return {
    sizes,
    load,
    /** What a row has started ends in reverse order, also when the row fails. */
    atEnd,
    database,
    stage: async () => openStage({ ...(await database()), atEnd, wanted: sizes.stagePlayers, buildEarlier }),
    async postgresVersion() {
      const [row] = await query(postgres.url, 'SHOW server_version');
      return String(row.server_version).replace(/ .*/, '');
    },
    async close() {
      for (const end of ends.toReversed()) {
        await end().catch((/** @type {unknown} */ error) => {
          process.exitCode = 1;
          console.error(error);
        });
      }
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
