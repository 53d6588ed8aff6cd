import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, jest } from '@jest/globals';
import pg from 'pg';
import { freePort, realPostgres, type Database } from './postgres.js';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const SHIFT_CLOCK = new URL('./shiftClock.js', import.meta.url).href;

/** Set by the Jest project: the same feature tests run on both. */
declare const DATABASE: 'pglite' | 'postgres';

/** A running server of the built product, in a process of its own, on a database of its own. */
export interface Server {
  /** Without a slash at the end. */
  readonly origin: string;
  readonly databaseUrl?: string;
  readonly dataDir: string;
  /** All that it has written so far, a line of JSON each. */
  log(): string;
  /** Moves this server's clock, forward or back. Milliseconds. */
  moveClock(by: number): Promise<void>;
  /** SIGTERM, and waits for the end. The data stays. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
  /** The same server again: same address, same data, other settings where they are given; an empty one is absent. */
  restart(changed?: Record<string, string>): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

export interface ServerOptions {
  readonly env?: Record<string, string>;
  readonly database?: 'pglite' | 'postgres';
  /** Another server's database, to be shared with it. */
  readonly databaseUrl?: string;
  /** Modules to load before the server. */
  readonly preload?: readonly string[];
  /** For servers that stand behind one address. */
  readonly publicOrigin?: string;
  /** The `main.js` of another build. */
  readonly main?: string;
}

/** Starting a server takes seconds on a busy machine; what hangs is still found. */
jest.setTimeout(120_000);

/** No test but those of the limits themselves shall run into one. */
const NO_LIMITS = {
  GAMES_PER_DAY: '0',
  GAMES_PER_MINUTE: '0',
  REPORTS_PER_MINUTE: '0',
  SIGN_INS_PER_MINUTE: '0',
  REQUESTS_PER_MINUTE: '0',
};

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const kind = options.database ?? DATABASE;
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'tic-tac-toe-server-'));
  let database: Database | undefined;
  if (kind === 'postgres' && !options.databaseUrl) {
    database = await realPostgres().createDatabase({ name: 'migrated', prepare: migrateOnce });
  }
  if (kind === 'pglite') cpSync(await embeddedTemplate(), dataDir, { recursive: true });
  const databaseUrl = options.databaseUrl ?? database?.url;
  const env: Record<string, string> = {
    ...NO_LIMITS,
    PORT: String(port),
    DATA_DIR: dataDir,
    PUBLIC_ORIGIN: options.publicOrigin ?? origin,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...options.env,
  };

  let log = '';
  let child = await launch(env, options.preload, (text) => (log += text), options.main);
  return {
    origin,
    databaseUrl,
    dataDir,
    log: () => log,
    async moveClock(by) {
      const moved = once(child, 'message');
      child.send({ moveClock: by });
      await moved;
    },
    stop: () => end(child, 'SIGTERM'),
    kill: async () => void (await end(child, 'SIGKILL')),
    async restart(changed = {}) {
      await end(child, 'SIGTERM');
      Object.assign(env, changed);
      child = await launch(env, options.preload, (text) => (log += text), options.main);
    },
    async remove() {
      await end(child, 'SIGTERM');
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** @throws with all that the server said, when it ends before it is ready */
async function launch(
  env: Record<string, string>,
  preload: readonly string[] = [],
  onOutput: (text: string) => void,
  main = MAIN,
): Promise<ChildProcess> {
  const child = fork(main, {
    env: { PATH: process.env.PATH, ...env },
    execArgv: ['--enable-source-maps', ...[SHIFT_CLOCK, ...preload].flatMap((url) => ['--import', url])],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // A server that a failed test has left behind must not keep Jest waiting; it ends with Jest (see shiftClock.js).
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr] as Socket[]) stream.unref();
  let said = '';
  await new Promise<void>((ready, fail) => {
    const listen = (data: Buffer) => {
      said += String(data);
      onOutput(String(data));
      if (said.includes('"event":"ready"')) ready();
    };
    child.stdout!.on('data', listen);
    child.stderr!.on('data', listen);
    child.once('exit', (code) => fail(new Error(`The server ended with ${code}:\n${said}`)));
  });
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.ref();
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

/** Starts the built server with settings that it must refuse, and returns what it said. */
export async function refusalToStart(env: Record<string, string>): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH, ...env } });
  let said = '';
  child.stdout.on('data', (data) => (said += String(data)));
  child.stderr.on('data', (data) => (said += String(data)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

/** The migrations run in the product itself: it is started once on the empty database. */
async function migrateOnce(url: string): Promise<void> {
  const server = await startServer({ database: 'postgres', databaseUrl: url });
  await server.remove();
}

/** A new embedded database takes seconds to make and little to copy. Each worker makes one and keeps it for the run. */
async function embeddedTemplate(): Promise<string> {
  const template = join(tmpdir(), `tic-tac-toe-template-${process.env.TEST_RUN}-${process.env.JEST_WORKER_ID}`);
  if (!existsSync(template)) {
    const draft = `${template}-draft`;
    const port = await freePort();
    const env = { PORT: String(port), DATA_DIR: draft };
    await end(await launch(env, [], () => undefined), 'SIGTERM');
    rmSync(join(draft, 'auth-secret'), { force: true });
    cpSync(draft, template, { recursive: true });
    rmSync(draft, { recursive: true, force: true });
  }
  return template;
}

/** Lets a file's server wait; after each test its clock is put back. */
export function waitOn(server: () => Server): (ms: number) => Promise<void> {
  let moved = 0;
  afterEach(async () => {
    if (moved !== 0) await server().moveClock(-moved);
    moved = 0;
  });
  return async (ms) => {
    moved += ms;
    await server().moveClock(ms);
  };
}

/** Waits until the log holds this text: what a server writes comes a moment after its answer. */
export async function logged(server: Server, text: string, withinMs = 5_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!server.log().includes(text)) {
    if (performance.now() > deadline) throw new Error(`The log does not hold ${text}:\n${server.log()}`);
    await new Promise((later) => setTimeout(later, 10));
  }
}

/** Looks into a server's PostgreSQL behind its back. */
export async function query<Row extends pg.QueryResultRow>(
  { databaseUrl }: Server,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Removes the stats of all players and the counts behind standings. */
export async function emptyLeaderboard(server: Server): Promise<void> {
  await query(server, 'TRUNCATE player_stats, score_totals, score_changes');
  // The server keeps the board for a second unless it reads it anew.
  await fetch(`${server.origin}/api/leaderboard`, { headers: { 'cache-control': 'no-cache' } });
}
