import { Controller, Get, Header, HttpException } from '@nestjs/common';
import { Readiness } from '../database/readiness.js';

/** `live` tells a supervisor to keep the process, `ready` tells it to send requests. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(): Promise<{ status: 'ready' }> {
    if (!(await this.readiness.isReady())) {
      throw new HttpException({ error: 'The database cannot be reached.', code: 'database_unreachable' }, 503);
    }
    return { status: 'ready' };
  }
}
