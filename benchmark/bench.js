/** Shared by the rows: one PostgreSQL, one load generator, and the servers on the same players, each started when needed. */
import { totalmem } from 'node:os';
import pg from 'pg';
import { buildBefore } from './before.js';
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

/** @typedef {Record<string, string>} Settings   of PostgreSQL */

/** A commit that takes so many milliseconds. PostgreSQL waits for other commits only where it flushes to the disk. */
export const commitOf = (/** @type {number} */ milliseconds) => ({
  fsync: 'on',
  commit_delay: String(milliseconds * 1_000),
  commit_siblings: '0',
});

/** @param {Sizes} sizes @param {string} [revision]   that is compared with this one; the commit before it if none is given */
export async function openBench(sizes, revision) {
  const postgres = await startPostgres({ settings: POSTGRES_SETTINGS });
  const load = startLoad();
  /** @type {(() => Promise<void>)[]} */
  const ends = [postgres.stop];
  /** @type {Map<Settings | undefined, ReturnType<typeof openStage>>} */
  const stages = new Map();
  /** @type {ReturnType<typeof buildBefore> | undefined} */
  let earlier;

  const opened = async (/** @type {Settings | undefined} */ settings) => {
    const other =
      settings && (await startPostgres({ settings: { ...POSTGRES_SETTINGS, shared_buffers: '1GB', ...settings } }));
    if (other) ends.push(other.stop);
    const { url, client } = await makeDatabase(other ?? postgres);
    ends.push(() => client.end());
    const builtBefore = () => (earlier ??= buildBefore(revision));
    return openStage({ url, client, ends, wanted: sizes.stagePlayers, builtBefore });
  };

  return {
    sizes,
    load,
    postgres,
    database: () => makeDatabase(postgres),
    /** @param {Settings} [settings]   of a PostgreSQL of its own. Without them a commit costs nothing. The same object is the same stage. */
    stage(settings) {
      let stage = stages.get(settings);
      if (!stage) stages.set(settings, (stage = opened(settings)));
      return stage;
    },
    postgresVersion: () => version(postgres.url),
    async close() {
      load.stop();
      for (const end of ends.toReversed()) await end();
      await earlier?.then(
        ({ remove }) => remove(),
        () => undefined,
      );
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
