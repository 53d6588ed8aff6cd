import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../settings/env.js';
import { poolBeside } from './data-source.js';
import { requestLimits } from './pool/limits.js';

/** One for the histogram of scores, and one for short statements meanwhile. */
const CONNECTIONS = 2;

/** Connections for work in the background, so that neither this work nor a request waits for the other. */
@Injectable()
export class BackgroundConnections implements OnApplicationShutdown {
  private readonly pool;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    env: Env,
  ) {
    this.pool = poolBeside(database, { name: 'background', max: CONNECTIONS, limits: requestLimits(env.database) });
  }

  async query<Rows>(text: string, values: unknown[] = []): Promise<Rows> {
    if (!this.pool) return this.database.query<Rows>(text, values);
    return (await this.pool.query(text, values)).rows as Rows;
  }

  /** After `onModuleDestroy`, in which the work stops. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }
}
