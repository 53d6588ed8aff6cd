import { Controller, Get, Header } from '@nestjs/common';
import { Readiness, readiness as readyChecks } from '../database/readiness.js';
import { Shutdown } from '../base/shutdown.js';
import { CodedException } from './answers/codes.js';

const NOT_READY = {
  stopping: new CodedException('stopping', 'The server is about to stop.'),
  unreachable: new CodedException('database_unreachable', 'The database cannot be reached.'),
  read_only: new CodedException('database_read_only', 'The database accepts no writes.'),
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
