import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundConnections } from '../database/background-connections.js';
import { BackgroundWork } from '../database/background-work.js';
import { databaseReports } from '../database/database-events.js';
import { lastDone } from '../moderation/audit.js';

const MINUTE = 60_000;

/** Only the user and the database of another role's connection are visible. Workers of PostgreSQL lack one of both. */
const CONNECTIONS = `
  SELECT count(*)::integer AS connections,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0) AS "mostConnections"
  FROM pg_stat_activity WHERE usesysid IS NOT NULL AND datid IS NOT NULL`;

/** Reads once a minute what alerts tell about the database as a whole: its connections and the age of its backups. */
@Injectable()
export class DatabaseReports implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly work = new BackgroundWork('database_report', MINUTE, () => this.read());

  constructor(private readonly background: BackgroundConnections) {}

  onApplicationBootstrap(): void {
    this.work.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.work.stop();
  }

  private async read(): Promise<void> {
    const [counted] = await this.background.query<[{ connections: number; mostConnections: number }]>(CONNECTIONS);
    const report = {
      ...counted,
      lastBackup: await lastDone(this.background, 'backup.create'),
      lastVerifiedBackup: await lastDone(this.background, 'backup.verify'),
    };
    databaseReports.offer('database', () => report);
  }
}
