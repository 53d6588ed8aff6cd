import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DatabaseModule } from '../database/database.module.js';
import { HealthController } from './health.controller.js';
import { ProblemFilter } from './problem.filter.js';
import { RequestAllowance } from './request-allowance.js';
import { SecurityTxtController } from './security-txt.controller.js';

/** What surrounds the features: the built page, headers, errors, health. */
@Module({
  imports: [DatabaseModule],
  controllers: [HealthController, SecurityTxtController],
  providers: [RequestAllowance, { provide: APP_FILTER, useClass: ProblemFilter }],
  exports: [RequestAllowance],
})
export class WebModule {}
