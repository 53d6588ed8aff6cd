/** What a row measures with: a PostgreSQL, a load generator, and servers on the same players, each started when needed. */
import { totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../scripts/machine/postgres.js';
import { run } from '../../scripts/machine/run.js';
import { startLoad } from './load.js';
import { peersOn } from './peers.js';
import { modulesOf, startProduct, tokensOf } from './product.js';
import { fill, makePeerTables, somePlayers } from './tables.js';

/** A quarter of the memory, as PostgreSQL's documentation advises. */
const SHARED_BUFFERS = `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`;
const POSTGRES_SETTINGS = { shared_buffers: SHARED_BUFFERS, max_wal_size: '8GB', max_connections: '300' };

/**
 * @typedef {object} Sizes
 * @property {number} rounds    of each server, after one that warms up
 * @property {number} warmUp    requests of the first round, after which code is compiled and pools are full
 * @property {number} players   on the leaderboard
 * @property {number[]} watchers
 * @property {number} changes   that the watchers see
 * @property {number} starts
 */

/** @type {Record<'quick' | 'full', Sizes>} */
export const SIZES = {
  quick: { rounds: 3, warmUp: 1_000, players: 2_000, watchers: [500], changes: 4, starts: 1 },
  full: { rounds: 9, warmUp: 6_000, players: 10_000, watchers: [2_000, 10_000], changes: 20, starts: 5 },
};

/**
 * @typedef {import('./revisions.js').Revision} Revision
 * @typedef {Awaited<ReturnType<typeof openBench>>} Bench
 * @typedef {Awaited<ReturnType<Bench['stage']>>} Stage
 * @typedef {Awaited<ReturnType<typeof openSide>>} Side   a revision with a database, players and a server of its own
 */

/**
 * Each row has a bench of its own, because PostgreSQL would still vacuum the games of the row before.
 * @param {object} options
 * @param {Sizes} options.sizes
 * @param {Record<string, string>} [options.settings]   of PostgreSQL
 * @param {Awaited<ReturnType<typeof import('./revisions.js').buildRevisions>>} options.revisions
 */
export async function openBench({ sizes, settings, revisions }) {
  /** @type {(() => Promise<unknown>)[]} */
  const ends = [];
  const atEnd = (/** @type {() => Promise<unknown>} */ end) => void ends.push(end);
  const postgres = await startPostgres({ settings: { ...POSTGRES_SETTINGS, ...settings } });
  atEnd(postgres.stop);
  const load = startLoad();
  atEnd(load.stop);
  let databases = 0;

  /** Makes a database with the revision's schema, and a client on it. */
  const database = async (/** @type {Revision} */ { root }) => {
    const name = `benchmark_${++databases}`;
    await query(postgres.url, `CREATE DATABASE ${name}`);
    const url = postgres.url.replace(/\/postgres$/, `/${name}`);
    const env = { PATH: process.env.PATH, DATABASE_URL: url };
    await run(process.execPath, [join(root, 'dist/bundle/ttt.js'), 'migrate'], { env, quiet: true });
    const client = new pg.Client(url);
    await client.connect();
    atEnd(() => client.end());
    return { url, client };
  };

  const sideOf = async (/** @type {Revision} */ revision, players = sizes.players) =>
    openSide(revision, await database(revision), players, atEnd);
  const [now, then] = revisions;
  return {
    sizes,
    revisions,
    load,
    /** What a row has started ends in reverse order, also when the row fails. */
    atEnd,
    database,
    sideOf,
    async stage() {
      const ours = await sideOf(now);
      await makePeerTables(ours.client);
      return { now: ours, then: await sideOf(then), peers: peersOn(ours, atEnd) };
    },
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

/**
 * @param {Revision} revision
 * @param {{ url: string, client: pg.Client }} database   empty, with the revision's schema
 * @param {number} wanted   players
 * @param {(end: () => Promise<unknown>) => void} atEnd
 */
async function openSide(revision, { url, client }, wanted, atEnd) {
  await fill(client, wanted);
  const players = await somePlayers(client, Math.min(500, wanted));
  const modules = await modulesOf(revision);
  const start = async () => {
    const server = await startProduct(url, revision);
    atEnd(server.stop);
    return server;
  };
  let next = 0;
  return {
    ...{ name: revision.name, url, client, modules, players, start },
    server: await start(),
    tokens: tokensOf(players, modules.accessToken),
    /** The players take turns: indexes of the next ones. */
    take: (/** @type {number} */ wanted) => Array.from({ length: wanted }, () => next++ % players.length),
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
