import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Hosts } from '../../database/pool/hosts.js';
import { OperationError } from '../command-error.js';

/** Where Debian installs each major version. The `pg_dump` in the path is a wrapper there. */
const DEBIAN = '/usr/lib/postgresql';

interface Client {
  readonly folder: string;
  readonly major: number;
}

/** The newest installed client programs of PostgreSQL: pg_dump, pg_restore and psql of one folder. */
export function clientPrograms(path: string): Client {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const found = [...debian, ...path.split(delimiter)]
    .filter((folder) => ['pg_dump', 'pg_restore', 'psql'].every((name) => existsSync(join(folder, name))))
    .map((folder) => ({ folder, major: majorOf(folder) }))
    .sort((one, other) => other.major - one.major);
  if (found[0]) return found[0];
  throw new OperationError(
    'The client programs of PostgreSQL are missing: install postgresql-client of the major version of the database, or newer.',
  );
}

function majorOf(folder: string): number {
  const said = execFileSync(join(folder, 'pg_dump'), ['--version'], { encoding: 'utf8' });
  return Number(/(\d+)/.exec(said)?.[1] ?? 0);
}

const PARAMETERS: Readonly<Record<string, string>> = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

/** The address of the host that accepts writes, as libpq reads it. A password in an argument would show in the list of processes. */
export async function libpqSettings(databaseUrl: string): Promise<Record<string, string>> {
  const hosts = new Hosts(databaseUrl);
  if (hosts.findsPrimary) await hosts.findPrimary();
  const { hostname, port, username, password, pathname, searchParams } = new URL(hosts.current);
  const parameters = Object.entries(PARAMETERS).flatMap(([name, variable]) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[variable, value] as const];
  });
  return {
    PGHOST: searchParams.get('host') ?? hostname.replace(/^\[(.*)\]$/, '$1'),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...Object.fromEntries(parameters),
  };
}
