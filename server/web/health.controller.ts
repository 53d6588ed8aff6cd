import { Controller, Get, Header, HttpException } from '@nestjs/common';
import { readiness as readyChecks } from '../database/database-events.js';
import { Readiness } from '../database/readiness.js';
import { Shutdown } from '../base/shutdown.js';

const NOT_READY = {
  stopping: { error: 'The server is about to stop.', code: 'stopping' },
  unreachable: { error: 'The database cannot be reached.', code: 'database_unreachable' },
  read_only: { error: 'The database accepts no writes.', code: 'database_read_only' },
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
    if (state !== 'ready') throw new HttpException(NOT_READY[state], 503);
    return { status: 'ready' };
  }
}
