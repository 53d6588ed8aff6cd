import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { HealthController } from './health.controller.js';
import { ProblemFilter } from './problem.filter.js';

/** What surrounds the features: the built page, headers, errors, health. */
@Module({
  controllers: [HealthController],
  providers: [{ provide: APP_FILTER, useClass: ProblemFilter }],
})
export class WebModule {}
