import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DatabaseModule } from '../database/database.module.js';
import { ClientAddress } from './client-address.js';
import { Cookies } from './cookies.js';
import { HealthController } from './health.controller.js';
import { NetworkHash } from './network-hash.js';
import { ProblemFilter } from './problem.filter.js';
import { Problems } from './problems.js';
import { Refusals } from './refusals.js';
import { RequestAllowance } from './request-allowance.js';
import { SecurityTxtController } from './security-txt.controller.js';
import { Routes } from './wrong-method.js';

/** HTTP for every feature: the built page, headers, cookies, errors, limits, the audit trail, health. */
@Module({
  imports: [DatabaseModule],
  controllers: [HealthController, SecurityTxtController],
  providers: [
    ClientAddress,
    Cookies,
    NetworkHash,
    Problems,
    Refusals,
    RequestAllowance,
    Routes,
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [ClientAddress, Cookies, NetworkHash, Refusals, RequestAllowance],
})
export class WebModule {}
