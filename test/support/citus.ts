import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import pg from 'pg';
import { type Database, freePort } from './postgres.js';

/** The coordinator of a running Citus cluster, whose user may create databases on every node. */
const CITUS_URL = process.env.TEST_CITUS_URL;

/** The tests of a cluster. They are skipped without one. */
export function describeOnCitus(title: string, tests: () => void): void {
  if (CITUS_URL) describe(title, tests);
  else describe.skip(`${title} (SKIPPED: TEST_CITUS_URL is not set)`, tests);
}

/** `TEST_ENGINE=citus` runs the features in databases distributed by Citus. */
export const IS_DISTRIBUTED = process.env.TEST_ENGINE === 'citus';

/** The view of the statements on all machines of a database. */
export function activityOf(server: { readonly databaseUrl?: string }): string {
  return isOnCitus(server) ? 'citus_stat_activity' : 'pg_stat_activity';
}

function isOnCitus({ databaseUrl }: { readonly databaseUrl?: string }): boolean {
  return CITUS_URL !== undefined && new URL(databaseUrl!).host === new URL(CITUS_URL).host;
}

interface Node {
  readonly host: string;
  readonly port: number;
}

/** Creates an empty database on the coordinator and on each worker, and makes it a cluster of its own. */
export async function createCitusDatabase(more: readonly Node[] = []): Promise<Database> {
  const name = `tic_tac_toe_${process.env.TEST_RUN}_${randomBytes(6).toString('hex')}`;
  const url = new URL(CITUS_URL!);
  const workers = [...(await workersOf(url.href)), ...more];
  const coordinator = { host: url.hostname, port: Number(url.port) };
  for (const node of [coordinator, ...workers]) {
    await on(urlOf(node), (client) => client.query(`CREATE DATABASE ${name}`));
    await on(urlOf(node, name), (client) => client.query('CREATE EXTENSION citus'));
  }
  const own = urlOf(coordinator, name);
  await on(own, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await client.query('SELECT citus_add_node($1, $2)', [host, port]);
  });
  return {
    url: own,
    async drop() {
      for (const node of [coordinator, ...workers]) {
        await on(urlOf(node), (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      }
    },
  };
}

/** Creates a database of the current schema and runs `ttt distribute` on it. */
export async function createDistributedDatabase(): Promise<Database> {
  const database = await createCitusDatabase();
  // Fewer shards than in production make a test faster.
  await on(database.url, (client) =>
    client.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET citus.shard_count = 8', current_database()); END $$`,
    ),
  );
  const { code, said } = await distribute(database.url);
  if (code !== 0) throw new Error(said);
  return database;
}

/** Runs `ttt distribute`. */
export function distribute(databaseUrl: string): Promise<{ code: number; said: string }> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      ['dist/bundle/ttt.js', 'distribute'],
      { env: { DATABASE_URL: databaseUrl } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    ),
  );
}

/**
 * Kills a worker as a crash does, with all its processes. Needs a superuser on the same machine.
 * @returns a function that starts it again and waits until it answers
 */
export async function killWorker(worker: Node): Promise<() => Promise<void>> {
  const signal = join(tmpdir(), `start-worker-${randomBytes(6).toString('hex')}`);
  // Programs of COPY run in the folder of the data.
  const program = `setsid sh -c "kill -9 $(head -n 1 postmaster.pid); until [ -e ${signal} ]; do sleep 0.1; done; \
until %s/pg_ctl -D . -l crash.log -w start; do sleep 0.2; done" >/dev/null 2>&1 </dev/null &`;
  const [folder] = await on(urlOf(worker), async (client) => {
    const { rows } = await client.query<{ folder: string }>(
      `SELECT setting AS folder FROM pg_config WHERE name = 'BINDIR'`,
    );
    return rows.map(({ folder }) => folder);
  });
  const killer = new pg.Client(urlOf(worker));
  killer.on('error', () => undefined);
  await killer.connect();
  const command = killer.escapeLiteral(program.replace('%s', folder!));
  void killer.query(`COPY (SELECT 1) TO PROGRAM ${command}`).catch(() => undefined);
  while (await answers(worker)) await pause();
  hangUp(killer);
  return async () => {
    writeFileSync(signal, '');
    while (!(await answers(worker))) await pause();
    rmSync(signal);
  };
}

/** A worker of its own, on the machine of the coordinator, which no database knows yet. */
export interface Worker extends Node {
  restart(walLevel: string): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a further PostgreSQL with Citus, as the user of the coordinator. */
export async function startWorker(walLevel: string): Promise<Worker> {
  const { hostname: host, username: user } = new URL(CITUS_URL!);
  const port = await freePort();
  const folder = join(tmpdir(), `ttt-worker-${randomBytes(6).toString('hex')}`);
  const coordinator = async (sql: string) => {
    const client = new pg.Client(CITUS_URL);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ setting: string }>(sql).finally(() => hangUp(client));
    return rows[0]!;
  };
  const { setting: programs } = await coordinator(`SELECT setting FROM pg_config WHERE name = 'BINDIR'`);
  // A program reads the rows that COPY gives it.
  const copy = (row: string, program: string) => coordinator(`COPY (SELECT '${row}') TO PROGRAM '${program}'`);
  const run = (program: string) => copy('', `cat >/dev/null; ${program}`);
  const control = (verb: string) =>
    run(`${programs}/pg_ctl -D ${folder} -l ${folder}/log -w -m fast ${verb} >/dev/null`);
  const set = (line: string) => copy(line, `cat >> ${folder}/postgresql.conf`);
  const settings = [
    `port = ${port}`,
    `listen_addresses = ''${host}''`,
    `unix_socket_directories = ''${folder}''`,
    `shared_preload_libraries = ''citus''`,
    'citus.enable_statistics_collection = off',
    'max_prepared_transactions = 200',
  ];
  await run(`${programs}/initdb -D ${folder} -U ${user} -A trust >/dev/null`);
  for (const line of [...settings, `wal_level = ${walLevel}`]) await set(line);
  await control('start');
  return {
    host,
    port,
    async restart(level) {
      await set(`wal_level = ${level}`);
      await control('restart');
    },
    async remove() {
      await control('stop');
      await run(`rm -rf ${folder}`);
    },
  };
}

/** Makes a further worker ready for a database of this cluster. */
export async function joinCluster(database: Database, { host, port }: Node): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  await on(urlOf({ host, port }), (client) => client.query(`CREATE DATABASE ${name}`));
  await on(urlOf({ host, port }, name), (client) => client.query('CREATE EXTENSION citus'));
  await on(database.url, (client) => client.query('SELECT citus_add_node($1, $2)', [host, port]));
}

/** A program that COPY has started inherits the socket, so it does not close by itself. */
function hangUp(client: pg.Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

const pause = () => new Promise((later) => setTimeout(later, 50));

function answers(node: Node): Promise<boolean> {
  return on(urlOf(node), (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  );
}

/** The workers that Citus knows. */
export async function workersOf(url: string): Promise<Node[]> {
  return on(url, async (client) => {
    const { rows } = await client.query<Node>(
      'SELECT node_name AS host, node_port::integer AS port FROM citus_get_active_worker_nodes() ORDER BY node_port',
    );
    return rows;
  });
}

/** Runs work on one connection. */
export async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  // A killed worker ends the connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The address of a database on another node. A worker that has just started has the database `postgres` alone. */
function urlOf({ host, port }: Node, name = 'postgres'): string {
  return Object.assign(new URL(CITUS_URL!), { hostname: host, port: String(port), pathname: `/${name}` }).href;
}
