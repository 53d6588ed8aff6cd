import { Controller, Get, Header } from '@nestjs/common';
import { Readiness, readiness as readyChecks } from '../database/readiness.service.js';
import { Shutdown } from '../base/shutdown.js';
import { Refusal } from './answers/refusals.js';

const NOT_READY = {
  stopping: new Refusal('stopping'),
  unreachable: new Refusal('database_unreachable'),
  read_only: new Refusal('database_read_only'),
};

/** `live` tells a supervisor to keep the process, `ready` tells it to send requests. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly shutdown: Shutdown,
  ) {
    readyChecks.offer('shutdown', () => Promise.resolve(!shutdown.isDraining));
  }

  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(): Promise<{ status: 'ready' }> {
    const state = this.shutdown.isDraining ? 'stopping' : await this.readiness.state();
    if (state !== 'ready') throw NOT_READY[state];
    return { status: 'ready' };
  }
}
