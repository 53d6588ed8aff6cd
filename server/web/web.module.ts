import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DatabaseModule } from '../database/database.module.js';
import { RequestAllowance } from '../limits/allowance.js';
import { CostlyWork } from '../limits/turns.js';
import { ClientAddress, NetworkHash } from './requests/client-address.js';
import { Cookies } from './requests/cookies.js';
import { HealthController } from './health.controller.js';
import { ProblemFilter, WrongMethods } from './answers/problems.js';
import { RefusalLog } from './answers/refusal-log.js';
import { SecurityTxtController } from './page/security-txt.controller.js';

const SHARED = [ClientAddress, CostlyWork, NetworkHash, Cookies, RefusalLog, RequestAllowance];

/** HTTP for every feature: the built page, headers, cookies, errors, limits, the audit trail, health. */
@Module({
  imports: [DatabaseModule],
  controllers: [HealthController, SecurityTxtController],
  providers: [...SHARED, WrongMethods, { provide: APP_FILTER, useClass: ProblemFilter }],
  exports: SHARED,
})
export class WebModule {}
