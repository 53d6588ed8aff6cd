import { Controller, Get } from '@nestjs/common';
import { notReady, Readiness } from '../database/readiness.service.js';
import { Shutdown } from '../base/shutdown.js';
import { Refusal } from './answers/refusals.js';

/** `live` tells a supervisor to keep the process, `ready` tells it to send requests. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly shutdown: Shutdown,
  ) {
    notReady.offer('health', () => this.problem());
  }

  @Get('live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(): Promise<{ status: 'ready' }> {
    const problem = await this.problem();
    if (problem) throw new Refusal(problem);
    return { status: 'ready' };
  }

  private async problem() {
    return this.shutdown.isDraining ? 'stopping' : this.readiness.problem();
  }
}
