import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import pg from 'pg';
import { readEnv } from '../../server/settings/env.js';
import { createDistributedDatabase, IS_DISTRIBUTED } from './citus.js';
import { freePort, realPostgres } from './postgres.js';
import { addWitness, problemsIn } from './witnesses.js';

export const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const CLOCK = new URL('./clock.js', import.meta.url).href;

/** A running server of the built product, in a process of its own. */
export interface Server {
  /** Without a slash at the end. */
  readonly origin: string;
  readonly databaseUrl?: string;
  readonly dataDir: string;
  /** What it signs with, where a test has set it. */
  readonly secret?: string;
  /** All that it has written so far, a line of JSON each. */
  log(): string;
  /** The time of its clock. Milliseconds. */
  now(): number;
  /** Moves this server's clock, forward or back. Milliseconds. */
  moveClock(by: number): Promise<void>;
  /** From now on the clock of this server's machine is ahead by so much. The server measures it within ten seconds. */
  skewClock(by: number): Promise<void>;
  /** From now on only `moveClock` moves this server's clock: then a slow machine changes nothing. @param at the time, else now */
  stopClock(at?: number): Promise<void>;
  /** Moves the clock back to the real time, and lets it run. */
  resetClock(): Promise<void>;
  /** Sends SIGTERM, and waits for the end. The data stays. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
  /** How often it was started again. */
  restarts(): number;
  /** Starts the same server again: same address, data and clock, other settings where they are given; an empty one is absent. */
  restart(changed?: Record<string, string>): Promise<void>;
  /** Ends it and removes its data. A shared server stays for the next test file. */
  remove(): Promise<void>;
}

export interface ServerOptions {
  readonly env?: Record<string, string>;
  /** Runs it on the embedded database instead of PostgreSQL. */
  readonly embedded?: boolean;
  /** Another server's database, to be shared with it. */
  readonly databaseUrl?: string;
  /** Modules to load before the server. */
  readonly preload?: readonly string[];
  /** For servers that stand behind one address. */
  readonly publicOrigin?: string;
  /** By how many milliseconds the clock of its machine is ahead. */
  readonly clockSkew?: number;
  /** The `main.js` of another build. */
  readonly main?: string;
}

/** A test with servers takes minutes on a very busy machine; what hangs is still found. */
jest.setTimeout(300_000);

/** Only the tests of the limits themselves may run into one. */
const NO_LIMITS = {
  GAMES_PER_DAY: '0',
  GAMES_PER_MINUTE: '0',
  SIGN_INS_PER_MINUTE: '0',
  REQUESTS_PER_MINUTE: '0',
};

/** A statement on a busy machine may need more than the seconds that a request waits for the database by default. */
export const PATIENT = { DATABASE_STATEMENT_TIMEOUT_MS: '30000' };

/** What a process is started with, and the process once it runs. No functions, as it can outlive a test file. */
interface Installation {
  readonly origin: string;
  readonly databaseUrl?: string;
  readonly dataDir: string;
  readonly main: string;
  readonly preload: readonly string[];
  readonly env: Record<string, string>;
  child?: ChildProcess;
}

/** How a server's clock differs from the real time (see clock.js). */
interface TestClock {
  shift: number;
  skew: number;
  stoppedAt?: number;
}

/** Made by environment.js: what a Jest worker keeps from one test file to the next. */
declare const kept: { server?: Installation };

/** The secret of the shared server. A test that knows it can sign as the server does. */
export const SHARED_SECRET = 'known to the tests so that they can sign';

/** The moderators of the shared server. */
export const ADA = { provider: 'google', name: 'Ada', email: 'ada@moderators.example.org' } as const;
export const GRACE = { provider: 'github', name: 'Grace', email: 'grace@moderators.example.org' } as const;
/** The local providers make the number of an account from its address. */
export const accountNumber = (provider: string, email: string): number =>
  createHash('sha256').update(`${provider} ${email}`).digest().readUIntBE(0, 6);

const MODERATORS = [ADA, GRACE]
  .map(({ provider, email }) => `${provider}:${accountNumber(provider, email)}`)
  .join(', ');

/** Starts a server that only the caller uses, on a database of its own. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const database = options.embedded || options.databaseUrl ? undefined : await emptyDatabase();
  const server = control(await install({ databaseUrl: database?.url, ...options }), options.clockSkew);
  await server.restart();
  return {
    ...server,
    async remove() {
      await server.remove();
      await database?.drop();
    },
  };
}

/** Starts another server on the database of this one, for the same address. */
export const startBeside = ({ databaseUrl, origin }: Server, env: Record<string, string> = {}): Promise<Server> =>
  startServer({ databaseUrl, publicOrigin: origin, env: { ...PATIENT, AUTH_SECRET: SHARED_SECRET, ...env } });

/**
 * The worker's server with default settings but for its patience and its moderators, as good as new: the first test file of a worker that asks for it starts it,
 * and every later one finds it without data, at the real time and with an empty log.
 */
export async function sharedServer(): Promise<Server> {
  const { child } = (kept.server ??= await install({
    databaseUrl: (await emptyDatabase()).url,
    env: { ...PATIENT, AUTH_SECRET: SHARED_SECRET, MODERATORS },
  }));
  const server = control(kept.server);
  if (isRunning(child)) {
    server.follow();
    await server.resetClock();
  } else {
    await server.restart();
  }
  await removeData(server);
  await server.forgetLog();
  return { ...server, remove: async () => server.unfollow() };
}

/** The server for the tests of a file: a patient one with these options, or the shared one. */
export const serverOfFile = (options?: ServerOptions) =>
  options ? startServer({ ...options, env: { ...PATIENT, ...options.env } }) : sharedServer();

/** The same, which runs from the first `beforeAll` on. */
export function aServer(options?: ServerOptions): Server {
  const server = {} as Server;
  beforeAll(async () => void Object.assign(server, await serverOfFile(options)));
  afterAll(() => server.remove());
  return server;
}

const emptyDatabase = () =>
  IS_DISTRIBUTED
    ? createDistributedDatabase()
    : realPostgres().createDatabase({ name: 'migrated', prepare: migrateOnce });

async function install(options: ServerOptions): Promise<Installation> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(process.env.TEST_FOLDER!, 'server-'));
  const { databaseUrl } = options;
  return {
    origin,
    databaseUrl,
    dataDir,
    main: options.main ?? MAIN,
    preload: options.preload ?? [],
    env: {
      ...NO_LIMITS,
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_ORIGIN: options.publicOrigin ?? origin,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...options.env,
    },
  };
}

function control(installation: Installation, skew = 0) {
  const { origin, databaseUrl, dataDir, env } = installation;
  const clock: TestClock = { shift: 0, skew };
  let log = '';
  let starts = 0;
  const listen = (data: Buffer) => void (log += String(data));
  const dismiss = addWitness(() => `The server ${origin} (${dataDir}):\n${problemsIn(log)}`);
  const server = {
    origin,
    databaseUrl,
    dataDir,
    secret: env.AUTH_SECRET,
    log: () => log,
    now: () => (clock.stoppedAt ?? Date.now()) + clock.shift,
    restarts: () => starts,
    async moveClock(by: number) {
      clock.shift += by;
      await setClock(installation.child!, clock);
    },
    async skewClock(by: number) {
      clock.skew = by;
      await setClock(installation.child!, clock);
    },
    async stopClock(at?: number) {
      if (at !== undefined) Object.assign(clock, { shift: 0, stoppedAt: at });
      clock.stoppedAt ??= Date.now();
      await setClock(installation.child!, clock);
    },
    async resetClock() {
      Object.assign(clock, { shift: 0, stoppedAt: undefined });
      await setClock(installation.child!, clock);
    },
    stop: () => end(installation.child, 'SIGTERM'),
    kill: async () => void (await end(installation.child, 'SIGKILL')),
    async restart(changed: Record<string, string> = {}) {
      starts++;
      await end(installation.child, 'SIGTERM');
      Object.assign(env, changed);
      // From its first moment on, because its work in the background begins with the start.
      env.TEST_CLOCK = JSON.stringify(clock);
      await launch(installation, listen);
    },
    async remove() {
      dismiss();
      await end(installation.child, 'SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
    follow: () => outputsOf(installation.child!).forEach((output) => output.on('data', listen)),
    unfollow: () => outputsOf(installation.child!).forEach((output) => output.off('data', listen)),
    async forgetLog() {
      await endOfLog(server);
      log = '';
    },
  };
  return server;
}

const outputsOf = ({ stdout, stderr }: ChildProcess) => [stdout, stderr] as Socket[];
const isRunning = (child?: ChildProcess) => child?.exitCode === null && child.signalCode === null;

/** A test may last longer, so its failure shows what the server said. */
const READY_WITHIN_MS = 120_000;

/** @throws with all that the server said, when it ends before it is ready or is never ready */
async function launch(installation: Installation, listen: (data: Buffer) => void): Promise<void> {
  const { main, env, preload } = installation;
  const child = fork(main, {
    env: { PATH: process.env.PATH, ...env },
    execArgv: [
      ...(env.DATABASE_URL ? [] : ['--liftoff-only']),
      ...[CLOCK, ...preload].flatMap((url) => ['--import', url]),
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  installation.child = child;
  // A server that a failed test has left behind must not keep Jest waiting; it ends with Jest (see clock.js).
  child.unref();
  child.channel?.unref();
  let said = '';
  const ended = new AbortController();
  await new Promise<void>((ready, fail) => {
    for (const output of outputsOf(child)) {
      output.unref();
      output.on('data', listen);
      const look = (data: Buffer) => {
        said += String(data);
        if (said.includes('"event":"ready"')) ready();
      };
      output.on('data', look);
      ended.signal.addEventListener('abort', () => output.off('data', look));
    }
    const failed = (code: number | null) => fail(new Error(`The server ended with ${code}:\n${said}`));
    child.once('exit', failed);
    const late = () => fail(new Error(`The server was not ready within ${READY_WITHIN_MS} ms:\n${said}`));
    const limit = setTimeout(late, READY_WITHIN_MS);
    ended.signal.addEventListener('abort', () => {
      child.off('exit', failed);
      clearTimeout(limit);
    });
  }).finally(() => ended.abort());
}

/** Resolves once the server has set its clock. */
async function setClock(child: ChildProcess, clock: TestClock): Promise<void> {
  const id = randomUUID();
  await new Promise<void>((done) => {
    const listen = (message: { id?: string }) => {
      if (message.id !== id) return;
      child.off('message', listen);
      done();
    };
    child.on('message', listen);
    child.send({ id, setClock: clock });
  });
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<number | null> {
  if (!child) return null;
  if (isRunning(child)) {
    const exited = once(child, 'exit');
    child.ref();
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

/** Empties every table, for tests that look at all players. */
export async function removeData(server: Server): Promise<void> {
  const [tables] = await query<{ names: string }>(
    server,
    `SELECT string_agg(quote_ident(tablename), ', ') AS names FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> 'migrations'`,
  );
  // In a deadlock, the server's transaction gives up: it runs again.
  await query(server, `SET deadlock_timeout = '1min'; TRUNCATE ${tables!.names}`);
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

/** The problems of settings that the server must refuse. */
export function wrongSettingsIn(settings: Record<string, string>): string[] {
  try {
    readEnv(settings);
    return [];
  } catch (error) {
    return [...(error as Error).message.matchAll(/^ {2}- (.*)$/gm)].map(([, problem]) => problem!);
  }
}

/** The migrations run in the product itself, or in the build that a drill attacks: it is started once on the empty database. */
async function migrateOnce(url: string): Promise<void> {
  const server = await startServer({ databaseUrl: url, main: process.env.OTHER_MAIN ?? MAIN });
  await server.remove();
}

/** For a file whose tests wait on their server's clock: it moves only there, and each test begins at the real time. */
export function waitOn(server: () => Server): (ms: number) => Promise<void> {
  beforeEach(async () => {
    await server().resetClock();
    await server().stopClock();
  });
  return (ms) => server().moveClock(ms);
}

/** Waits until the log holds this text: what a server writes comes a moment after its answer. */
export async function logged(server: Pick<Server, 'log'>, text: string, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!server.log().includes(text)) {
    if (performance.now() > deadline) throw new Error(`The log does not hold ${text}:\n${server.log()}`);
    await new Promise((later) => setTimeout(later, 10));
  }
}

/** The length of the log once it holds every line of the requests answered so far. */
export async function endOfLog(server: Pick<Server, 'origin' | 'log'>, from?: string): Promise<number> {
  const answer = await fetch(`${server.origin}/nothing`, { headers: from ? { 'x-forwarded-for': from } : {} });
  await logged(server, answer.headers.get('x-request-id')!);
  return server.log().length;
}

/** The lines that the server logs during the work. */
export async function linesDuring(
  server: Pick<Server, 'origin' | 'log'>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const start = await endOfLog(server);
  await work();
  const end = await endOfLog(server);
  return server.log().slice(start, end).split('\n');
}

/** Runs a statement on a server's PostgreSQL. */
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

/** Moves the sign-in of the player with this address an hour back. */
export const signedInLongAgo = (server: Server, email: string) =>
  query(
    server,
    `UPDATE sessions SET created_at = created_at - interval '1 hour'
     WHERE player_id = (SELECT id FROM players WHERE email = $1)`,
    [email],
  );

/** Removes the stats of all players. */
export async function emptyLeaderboard(server: Server): Promise<void> {
  await query(server, 'TRUNCATE player_stats, player_weeks');
  // The server keeps a board for a second unless it reads it anew.
  const body = JSON.stringify({ query: '{ all: leaderboard { name } week: leaderboard(period: week) { name } }' });
  const headers = { 'cache-control': 'no-cache', 'content-type': 'application/json' };
  await fetch(`${server.origin}/graphql`, { method: 'POST', headers, body });
}
