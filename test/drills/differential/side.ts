import { type ChildProcess, execFile, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { type Database, freePort, realPostgres } from '../../support/postgres.js';

export const SECRET = 'the same secret for the servers of both revisions';
export const PUBLIC_ORIGIN = 'http://127.0.0.1:3000';

/** As in production, with low limits for a player, so that the stream reaches them. */
const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_ORIGIN,
  AUTH_SECRET: SECRET,
  GOOGLE_CLIENT_ID: 'drill',
  GOOGLE_CLIENT_SECRET: 'drill',
  GITHUB_CLIENT_ID: 'drill',
  GITHUB_CLIENT_SECRET: 'drill',
  REPORTED_RESULTS: 'accept',
  GAMES_PER_DAY: '20',
  GAMES_PER_MINUTE: '4',
  REPORTS_PER_MINUTE: '4',
  SIGN_INS_PER_MINUTE: '0',
  REQUESTS_PER_MINUTE: '0',
  SHUTDOWN_DELAY_MS: '0',
  LOG_LEVEL: 'warn',
  // A busy machine must not decide which request fails.
  DATABASE_STATEMENT_TIMEOUT_MS: '35000',
};

export interface Request {
  readonly path: string;
  /** Without a body, it is a GET. */
  readonly body?: object;
  readonly token?: string;
  readonly key?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const READY_WITHIN_MS = 60_000;

/** One revision: its server and its command line, on a database of its own. */
export class Side {
  private child: ChildProcess | undefined;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly pool: pg.Pool;
  private time = new Date(0);

  private constructor(
    readonly name: string,
    private readonly root: string,
    private readonly database: Database,
    private readonly port: number,
    readonly folder: string,
  ) {
    this.pool = new pg.Pool({ connectionString: database.url, max: 2 });
  }

  /** @param root the folder of the built revision */
  static async start(name: string, root: string, time: Date): Promise<Side> {
    const folder = mkdtempSync(join(process.env.TEST_FOLDER!, 'side-'));
    const side = new Side(name, root, await realPostgres().createDatabase(), await freePort(), folder);
    await side.launch(time);
    return side;
  }

  private get env(): Record<string, string> {
    return {
      PATH: process.env.PATH!,
      ...SETTINGS,
      PORT: String(this.port),
      DATA_DIR: this.folder,
      DATABASE_URL: this.database.url,
    };
  }

  /** The clock is set before the server asks for the time. */
  private async launch(time: Date): Promise<void> {
    const log = openSync(join(this.folder, 'server.log'), 'a');
    this.child = fork(join(this.root, 'dist/bundle/main.js'), {
      cwd: this.root,
      env: this.env,
      // The clock of the revision patches the database client of the revision.
      execArgv: ['--import', pathToFileURL(join(this.root, 'test/support/clock.js')).href],
      stdio: ['ignore', log, log, 'ipc'],
    });
    await this.setTime(time);
    const deadline = performance.now() + READY_WITHIN_MS;
    while ((await this.send({ path: '/health/ready' }).catch(() => undefined))?.status !== 200) {
      if (performance.now() > deadline) throw new Error(`${this.name} is not ready: see ${this.folder}/server.log`);
      await new Promise((later) => setTimeout(later, 20));
    }
  }

  /** The clock stands at this time until the next call. */
  async setTime(time: Date): Promise<void> {
    this.time = time;
    const id = randomUUID();
    const child = this.child!;
    await new Promise<void>((done) => {
      const listen = (message: { id?: string }) => {
        if (message.id !== id) return;
        child.off('message', listen);
        done();
      };
      child.on('message', listen);
      child.send({ id, setClock: { shift: 0, stoppedAt: time.getTime() } });
    });
  }

  send({ path, body, token, key }: Request): Promise<Answer> {
    const text = body && JSON.stringify(body);
    const headers = {
      ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    };
    const options = { agent: this.agent, host: '127.0.0.1', port: this.port, path, headers };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, method: text ? 'POST' : 'GET' }, (response) => {
        let said = '';
        response.setEncoding('utf8').on('data', (part: string) => (said += part));
        response.on('end', () => resolve({ status: response.statusCode!, body: parsed(said) }));
      });
      sent.on('error', reject).end(text);
    });
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }

  /** Runs the command line of the revision. The folder of this side is left out of what it said. */
  ttt(...words: string[]): Promise<{ code: number; said: string }> {
    const program = [join(this.root, 'dist/bundle/ttt.js'), ...words];
    return new Promise((resolve) =>
      execFile(process.execPath, program, { cwd: this.root, env: this.env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, said: `${out}${err}`.replaceAll(this.folder, '') }),
      ),
    );
  }

  async restart(): Promise<void> {
    await this.end();
    await this.launch(this.time);
  }

  private async end(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  async remove(): Promise<void> {
    this.agent.destroy();
    await this.end();
    await this.pool.end();
    await this.database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export type Sides = readonly [Side, Side];

/** Does the same on both sides at once. */
export function onBoth<T>(sides: Sides, work: (side: Side) => Promise<T>): Promise<[T, T]> {
  return Promise.all([work(sides[0]), work(sides[1])]);
}
