import { randomBytes, randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { portIsTaken } from '../../scripts/machine/port.js';

export { startPostgres, type Postgres } from '../../scripts/machine/postgres.js';

export interface Database {
  readonly url: string;
  drop(): Promise<void>;
}

interface Template {
  /** Concurrent requests with the same name share one template. */
  readonly name: string;
  /** Fills an empty database and closes its connections to it. */
  prepare(url: string): Promise<void>;
}

/** Below the ports that operating systems give to connections and to servers without a fixed port. */
const PORTS = [20_000, 32_000] as const;

/** A port that nothing listens on, for a server that takes it a moment later. No other worker of this run gets it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    if (!(await portIsTaken(port, '127.0.0.1')) && reserve(port)) return port;
  }
}

function reserve(port: number): boolean {
  try {
    writeFileSync(join(process.env.TEST_FOLDER!, `port-${port}`), '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The PostgreSQL that the whole test run shares. Each test takes a database of its own from it. */
export function realPostgres() {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error('No PostgreSQL was started: this Jest project needs the globalSetup of test/support.');
  return {
    url,
    /** Creates an empty database, or within 50 ms a copy of the template's. */
    async createDatabase(template?: Template): Promise<Database> {
      const name = ownName(randomBytes(6).toString('hex'));
      await onServer(url, async (query) => {
        const source = template ? await prepared(url, template, query) : 'template0';
        await query(`CREATE DATABASE ${name} TEMPLATE ${source}`);
      });
      return {
        url: urlOf(url, name),
        drop: () => onServer(url, (query) => query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
      };
    },
  };
}

type Query = (sql: string, values?: unknown[]) => Promise<pg.QueryResult<Record<string, unknown>>>;

/** The lock makes the other workers wait until the first has prepared the template. */
async function prepared(url: string, template: Template, query: Query): Promise<string> {
  const name = ownName(`template_${template.name.replace(/\W/g, '_').toLowerCase()}`);
  await query('SELECT pg_advisory_lock(hashtext($1))', [name]);
  try {
    const { rowCount } = await query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) {
      const draft = `${name}_draft`;
      await query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
      await query(`CREATE DATABASE ${draft} TEMPLATE template0`);
      await template.prepare(urlOf(url, draft));
      await query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    }
  } finally {
    await query('SELECT pg_advisory_unlock(hashtext($1))', [name]);
  }
  return name;
}

async function onServer(url: string, work: (query: Query) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work((sql, values) => client.query(sql, values));
  } finally {
    await client.end();
  }
}

/** Runs statements on one connection. @returns the rows of the last one */
export async function execute(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  let rows: Record<string, unknown>[] = [];
  await onServer(url, async (query) => {
    for (const statement of statements) ({ rows } = await query(statement));
  });
  return rows;
}

/** The teardown finds the databases of this run by the beginning of their names. */
function ownName(name: string): string {
  return `tic_tac_toe_${process.env.TEST_RUN}_${name}`;
}

function urlOf(server: string, database: string): string {
  return Object.assign(new URL(server), { pathname: `/${database}` }).href;
}
