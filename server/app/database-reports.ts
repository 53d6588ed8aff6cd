import { Injectable } from '@nestjs/common';
import { BackgroundConnections } from '../database/background-connections.js';
import { BackgroundWork, WorksInBackground } from '../database/background-work.js';
import { databaseFigures } from '../database/database-events.js';

/** User and database of a connection are visible to every role; the workers of PostgreSQL lack one of both. */
const FIGURES = `
  SELECT count(*)::integer AS ttt_database_connections,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0) AS ttt_database_connections_max
  FROM pg_stat_activity WHERE usesysid IS NOT NULL AND datid IS NOT NULL`;

/** Reads once a minute what alerts tell about the database as a whole: its connections. */
@Injectable()
export class DatabaseReports extends WorksInBackground {
  protected readonly work = new BackgroundWork('database_report', 60_000, async () => {
    const [figures] = await this.background.query<[Record<string, number>]>(FIGURES);
    for (const [name, figure] of Object.entries(figures)) databaseFigures.offer(name, () => figure);
  });

  constructor(private readonly background: BackgroundConnections) {
    super();
  }
}
