import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '../env.js';
import { databaseOptions, openDatabase } from './data-source.js';
import { DatabaseClock } from './database-clock.js';
import { Readiness } from './readiness.js';
import { Replica } from './replica.js';
import { Upkeep } from './upkeep.js';

/** One `DataSource` for all modules; each registers its own entities with `TypeOrmModule.forFeature`. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Env],
      useFactory: async (env: Env) => ({
        ...(await databaseOptions(env)),
        autoLoadEntities: true,
        // The operator must fix a missing database: fail at once instead of retrying silently.
        retryAttempts: 1,
      }),
      dataSourceFactory: (options) => openDatabase(options!),
    }),
  ],
  providers: [DatabaseClock, Readiness, Replica, Upkeep],
  exports: [Readiness, Replica, Upkeep],
})
export class DatabaseModule {}
