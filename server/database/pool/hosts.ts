import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { parseDatabaseUrl } from '../../settings/database-url.js';
import { DatabaseUnavailable } from '../errors/unavailable.js';

const PROBE_MS = 2_000;

/** The hosts of a database, and the one that accepts writes as far as this process knows. */
export class Hosts {
  readonly findsPrimary: boolean;
  private readonly urls: readonly string[];
  /** The address of the host for new connections. */
  current: string;
  private finding: Promise<void> | undefined;

  constructor(address: string) {
    const { urls, findsPrimary } = parseDatabaseUrl(address);
    this.urls = urls;
    this.findsPrimary = findsPrimary;
    this.current = urls[0]!;
  }

  /**
   * Asks all hosts at once, and takes the first one that accepts writes. Concurrent callers share one search.
   * @throws {DatabaseUnavailable} when there is none
   */
  findPrimary(): Promise<void> {
    return (this.finding ??= this.search().finally(() => (this.finding = undefined)));
  }

  private async search(): Promise<void> {
    const found = await Promise.any(this.urls.map((url) => this.probe(url))).catch(({ errors }: AggregateError) => {
      const reasons = errors.map((error, index) => `${hostOf(this.urls[index]!)}: ${(error as Error).message}`);
      throw new DatabaseUnavailable(`No host accepts writes (${reasons.join('; ')})`);
    });
    if (found === this.current) return;
    this.current = found;
    new Logger('Database').warn({ event: 'primary_changed', host: hostOf(found) });
  }

  private async probe(url: string): Promise<string> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: PROBE_MS,
      query_timeout: PROBE_MS,
    });
    // A connection that breaks also fails its query.
    client.on('error', () => undefined);
    try {
      await client.connect();
      if ((await inspect(client)).readOnly) throw new Error('does not accept writes');
      return url;
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

/** The hosts of a data source of `poolOf`; undefined for the embedded database. */
export function hostsOf(database: DataSource): Hosts | undefined {
  return (database.options.extra as { hosts?: Hosts } | undefined)?.hosts;
}

/** What one question tells about a connection. */
export async function inspect(client: pg.ClientBase): Promise<{ readonly pid: number; readonly readOnly: boolean }> {
  const { rows } = await client.query<{ pid: number; readOnly: boolean }>(
    `SELECT pg_backend_pid() AS pid, current_setting('transaction_read_only')::boolean AS "readOnly"`,
  );
  return rows[0]!;
}

const hostOf = (url: string): string => new URL(url).host;
