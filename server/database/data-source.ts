import { DataSource, type DataSourceOptions, getMetadataArgsStorage } from 'typeorm';
import { OperatorError } from '../base/errors.js';
import type { Env } from '../settings/env.js';
import { embeddedDriver } from './embedded.js';
import { adviceAfter, saidByDatabase } from './errors.js';
import { TABLES } from './migrations.js';
import { type BoundedConfig, BoundedPool, type Limits } from './pool.js';

/** Statements of requests have time limits; statements of maintenance have none. */
export type Use = 'requests' | 'maintenance';

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/**
 * PostgreSQL where `DATABASE_URL` names one, the embedded database otherwise.
 * @throws {OperatorError} when another process holds the data folder
 */
export async function databaseOptions(env: Env, use: Use = 'requests'): Promise<DataSourceOptions> {
  const { databaseUrl, database } = env;
  if (!databaseUrl) return { ...BASE, driver: await embeddedDriver(env.dataDir) };
  return use === 'requests'
    ? poolOf(databaseUrl, database.limits, database.poolSize, { name: use, inTurns: database.inTurns })
    : poolOf(databaseUrl, { connect: 5_000 }, 2);
}

const BASE: PostgresOptions = {
  type: 'postgres',
  // The schema uses `gen_random_uuid()`, which is built in: no extension is needed.
  installExtensions: false,
  uuidExtension: 'pgcrypto',
};

/** The options of a pool of connections to PostgreSQL. With a name, the pool appears in the metrics. */
export function poolOf(
  url: string,
  limits: Limits,
  poolSize: number,
  more?: Pick<BoundedConfig, 'name' | 'inTurns'>,
): PostgresOptions {
  return {
    ...BASE,
    url,
    driver: { Pool: BoundedPool },
    poolSize,
    extra: { limits, ...more },
  };
}

/** The entities of the files that are loaded. */
export const loadedEntities = () => getMetadataArgsStorage().tables.map(({ target }) => target);

/** The address of a data source of `poolOf`; undefined for the embedded database. */
export function addressOf({ options }: DataSource): string | undefined {
  return (options as PostgresOptions).url;
}

/** A pool beside the one of the requests. The embedded database has none, because it has one session. */
export function poolBeside(database: DataSource, config: BoundedConfig): BoundedPool | undefined {
  const connectionString = addressOf(database);
  if (!connectionString) return undefined;
  const pool = new BoundedPool({ ...config, connectionString });
  // The pool has dropped the connection already; the next statement opens a new one.
  pool.on('error', () => undefined);
  return pool;
}

/** What the database has said, with the advice for it; undefined without advice. */
function advised(error: unknown): string | undefined {
  const advice = adviceAfter(error);
  return advice && `${saidByDatabase(error)!.message}. ${advice}`;
}

/** Ends a start or a command with what the database says. An error without advice is our own mistake, and stays. */
export function explain(error: unknown): never {
  const said = advised(error);
  throw said ? unusable(said, error) : error;
}

const unusable = (said: string, cause?: unknown) =>
  new OperatorError(`The database at DATABASE_URL cannot be used: ${said}`, { cause });

/** `search_path` led an earlier version to another schema. Where `public` has a game, that one counts. */
const FOUND = `SELECT current_setting('server_encoding') AS encoding, (
  SELECT format('the schema %I has tables of the game, which uses the schema public alone. If they are the right ones: %s ' ||
    'ALTER FUNCTION %1$I.refuse_change_of_audit() SET SCHEMA public. If not, take %1$I out of search_path.', nspname,
    string_agg(format('ALTER TABLE %I.%I SET SCHEMA public;', nspname, relname), ' ' ORDER BY relname))
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace, pg_settings
  WHERE name = 'search_path' AND relkind IN ('r', 'p') AND relname = ANY ('{${TABLES.join()}}') AND nspname <> 'public'
    AND to_regclass('public.player_stats') IS NULL AND lower(nspname) IN (
      SELECT lower(btrim(part, ' "')) FROM unnest(string_to_array(replace(reset_val, '$user', current_user), ',')) AS part)
  GROUP BY nspname HAVING '{migrations,player_stats}' <@ array_agg(relname::text) LIMIT 1) AS elsewhere`;

/**
 * Connects, and leaves the schema as it is.
 * @throws {OperatorError} when there is no connection within five seconds: wrong host, wrong password, unknown database; and
 *   when the database cannot store every name, or has our tables in another schema
 */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  const database = await new DataSource(options).initialize().catch((cause: unknown) => {
    throw unusable(advised(cause) ?? (cause instanceof Error ? cause.message : String(cause)), cause);
  });
  const [{ encoding, elsewhere }] = await database.query<[{ encoding: string; elsewhere: string | null }]>(FOUND);
  if (encoding === 'UTF8' && !elsewhere) return database;
  await database.destroy();
  throw unusable(
    elsewhere ??
      `its encoding is ${encoding}, which cannot store every name. ` +
        "Create it again: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
  );
}
