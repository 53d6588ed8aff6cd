import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../settings/env.js';
import { Backup } from './backup.entity.js';
import { DISTRIBUTED, isDistributed } from './distribution.js';
import { DatabaseClock } from './database-clock.service.js';
import { Readiness } from './readiness.service.js';
import { BackgroundConnections } from './background-work.js';

/** What the features ask of the one `DataSource`, which the root module opens. */
@Module({
  imports: [TypeOrmModule.forFeature([Backup])],
  providers: [
    DatabaseClock,
    Readiness,
    { provide: DISTRIBUTED, inject: [DataSource], useFactory: isDistributed },
    { provide: BackgroundConnections, inject: [DataSource, Env], useFactory: BackgroundConnections.beside },
  ],
  exports: [Readiness, BackgroundConnections, DISTRIBUTED],
})
export class DatabaseModule {}
